import { IDENTITY_ITEMS } from '../../domain/account/identity.ts'
import { FINAL_FAILURES } from '../../domain/transfers/deliverySchema.ts'
import type { PayoutContext } from '../../netlify/server/payouts/payoutContext.ts'
import { showActions } from './actions.ts'
import { exportBooks, showStatement, showTrialBalance } from './books.ts'
import { bookMovement, PLACES } from './booksMove.ts'
import { CommandError } from './commandError.ts'
import {
  claimDeliveries,
  confirmDelivery,
  failDelivery,
  holdByOperator,
  isClaimedByColleague,
  listDeliveries,
  releaseDelivery,
  showBatch,
} from './deliveries.ts'
import { explainPayment } from './explain.ts'
import { approveIdentity, exportIdentity, listIdentities, rejectIdentity, showIdentity } from './identity.ts'
import { allowInvoice, showInvoice } from './invoice.ts'
import { approveOperatorAction, recordOperatorAction } from './operatorActions.ts'
import {
  allowCoupon,
  closePayments,
  endCoupon,
  keepUnknownPayments,
  openPayments,
  refundUnknownPayments,
  showPayments,
  showUnknownPayments,
} from './payments.ts'
import { listCases, refuseCase, releaseCase, resumePayments, showPerson, stopPerson } from './people.ts'
import { showReconciliation } from './reconcile.ts'
import { settleDebt } from './settleDebt.ts'

export const OPTION_NAMES = ['by', 'because', 'export', 'language', 'reference', 'reason', 'item'] as const
export type CommandOptions = Readonly<Partial<Record<(typeof OPTION_NAMES)[number], string>>>

/** With `isBad` the exit code is 1. */
export interface CommandOutput {
  readonly lines: readonly string[]
  readonly isBad?: boolean
}

type Result = Promise<readonly string[] | CommandOutput>
type Run = (
  context: PayoutContext,
  args: readonly string[],
  options: CommandOptions,
  askedAt: number | null,
) => Result

export interface Command {
  readonly about: string
  /** If true, the first argument is the target, and the command is recorded with operator and reason. */
  readonly writes: boolean
  /** Another operator must approve the command: if SECOND_PERSON_REQUIRED is set, or if this says so. */
  readonly needsSecondPerson?:
    | boolean
    | ((context: PayoutContext, id: string, by: string) => Promise<boolean>)
  /** Null for commands that also run with settings that are not enough for a context. */
  readonly run: Run | null
}

const writeWith = (about: string, run: Run): Command => ({ about, writes: true, run })
const needingSecondPerson = (
  command: Command,
  needsSecondPerson: Command['needsSecondPerson'] = true,
): Command => ({ ...command, needsSecondPerson })
const read = (about: string, run: (context: PayoutContext, ...args: string[]) => Result): Command => ({
  about,
  writes: false,
  run: (context, args) => run(context, ...args),
})
const write = (about: string, run: (context: PayoutContext, ...args: string[]) => Result) =>
  writeWith(about, (context, args) => run(context, ...args))

const APPROVE = 'approve <action>'

/** By usage: the name, `<arguments>` and `--options`, in brackets if optional. */
export const COMMANDS: Readonly<Record<string, Command>> = {
  doctor: { about: 'Checks everything that a deployment needs', writes: false, run: null },
  keys: {
    about: 'Makes a pair of keys for receipts and prints the settings, with the old public keys',
    writes: false,
    run: null,
  },
  'explain <id>': read(
    'Shows what happened to a payment (pi_…) or plan (sub_…), and where the money is',
    explainPayment,
  ),
  'reconcile [<day>]': read(
    "Compares a day's charges with the records; yesterday's by default",
    showReconciliation,
  ),
  'books show [<time>]': read(
    'Shows the balance of every account, and the money kept for clients, now or at a time (2026-11-20, or 2026-11-20T12:00:00Z)',
    showTrialBalance,
  ),
  'books statement <payment>': read(
    'Shows the entries of a payment, and who owes whom since when',
    showStatement,
  ),
  'books move <reference> <from> <to> <amount> [<arrived>]': write(
    `Books money that was moved outside of the product, once under the bank's reference. FROM, TO: ${PLACES.join(', ')}; AMOUNT: 970.00EUR; ARRIVED: what a conversion made of it, 10282000GNF`,
    bookMovement,
  ),
  'books export --export FILE [--language LANGUAGE]': {
    about:
      'Writes the journal to a file: FILE.csv, for a spreadsheet in the LANGUAGE fr (by default) or en, or FILE.journal, for hledger',
    writes: false,
    run: (context, _, { export: path = '', language }) => exportBooks(context, { path, language }),
  },
  'payments show': read('Shows whether users can pay, and which coupons have ended', showPayments),
  'payments close': write('Stops new payments and automatic refunds', closePayments),
  'payments open': needingSecondPerson(write('Allows payments and automatic refunds again', openPayments)),
  'unknown-payments list': read(
    'Lists payments of this deployment at Stripe that the database does not know',
    showUnknownPayments,
  ),
  'unknown-payments refund <payment>…': writeWith(
    'Refunds the given unknown payments in full',
    refundUnknownPayments,
  ),
  'unknown-payments keep <payment>…': needingSecondPerson(
    writeWith(
      'Keeps the given unknown payments, because their transfers were delivered',
      keepUnknownPayments,
    ),
  ),
  'refunds settle <payment> --reference TEXT': needingSecondPerson(
    writeWith(
      "Ends a debt whose card can't be refunded, before you pay it from the bank under this reference",
      (context, [id = ''], { reference = '' }) => settleDebt(context, id, reference),
    ),
  ),
  'coupon end <coupon>': write('Refuses a coupon; payments in progress keep their price', endCoupon),
  'coupon allow <coupon>': write('Accepts an ended coupon again', allowCoupon),
  'people show <user>': read("Shows what pauses a user's payments and payouts", showPerson),
  'people stop <user>': write("Pauses a user's payments and ends those in progress", stopPerson),
  'people resume <user>': needingSecondPerson(
    write("Lifts every pause of a user's payments and payouts", resumePayments),
  ),
  'people cases': read('Lists transfers that the list of sanctions holds', listCases),
  'people release <payment>': needingSecondPerson(
    write('Releases such a transfer: its persons are not those on the list', releaseCase),
  ),
  'people refuse <payment>': write('Refuses such a transfer, and refunds the whole charge', refuseCase),
  'identity list': read('Lists identity documents that wait for a decision, oldest first', listIdentities),
  'identity show <submission>': read('Shows a submission, and what was decided', showIdentity),
  // Recorded, because the file is a copy of a personal document.
  'identity export <submission> --export FILE': writeWith(
    'Writes the document of a submission to a file',
    (context, [id = ''], { export: path = '' }) => exportIdentity(context, id, path),
  ),
  'identity approve <submission>': write('Approves an identity document', approveIdentity),
  'identity reject <submission> --reason TEXT [--item ITEM]': writeWith(
    `Rejects an identity document; its user reads the reason. ITEM: ${IDENTITY_ITEMS.join(', ')}; both by default`,
    (context, [id = ''], { reason = '', item }) => rejectIdentity(context, id, { reason, item }),
  ),
  'deliveries list': read('Lists transfers that are due, claimed, held, waiting or delayed', listDeliveries),
  'deliveries claim [--export FILE] [--language LANGUAGE] [<payment>…]': writeWith(
    'Claims all due transfers, or the given ones, at most 500. The file is for a bank or an agent, whose spreadsheet is in the LANGUAGE fr (by default) or en',
    (context, ids, { by = '', export: path, language }) =>
      claimDeliveries(context, { by, ids, path, language }),
  ),
  'deliveries batch <batch>': read(
    'Lists the transfers of a batch that are still claimed',
    (context, batch = '') => showBatch(context, batch),
  ),
  // Recorded, because a bank that gets the file again may pay it again.
  'deliveries export <batch> --export FILE [--language LANGUAGE]': writeWith(
    'Writes the file of a batch again, with the transfers that are still claimed',
    (context, [batch = ''], { export: path, language }) => showBatch(context, batch, { path, language }),
  ),
  'deliveries delivered <payment> --reference TEXT': needingSecondPerson(
    writeWith(
      "Records that a transfer has arrived; the reference is what the recipient's wallet shows",
      (context, [id = ''], { reference = '' }) => confirmDelivery(context, id, reference),
    ),
  ),
  'deliveries failed <payment> --reason REASON': needingSecondPerson(
    writeWith(
      `Refunds a transfer that can't be paid. REASON: ${FINAL_FAILURES.join(', ')}`,
      (context, [id = ''], { reason = '', by = '' }, askedAt) =>
        failDelivery(context, id, reason, { by, askedAt }),
    ),
    isClaimedByColleague,
  ),
  'deliveries release <payment>': needingSecondPerson(
    writeWith(
      'Ends the claim on a transfer that was not paid, or its hold',
      (context, [id = ''], { by = '' }, askedAt) => releaseDelivery(context, id, { by, askedAt }),
    ),
    isClaimedByColleague,
  ),
  'deliveries hold <payment>': write('Holds a transfer until it is released', holdByOperator),
  'invoice show <supplier> <reference>': read('Shows whether an invoice can be paid', showInvoice),
  'invoice allow <supplier> <reference> <day>': write(
    'Allows an invoice with this due date to be paid once, although it seems to be paid',
    allowInvoice,
  ),
  'actions [<about>]': read(
    'Lists what operators did, with the reasons: the latest 100, or the latest 100 about a payment, a user or an action',
    showActions,
  ),
  [APPROVE]: writeWith(
    'Runs a command that another operator requested',
    async (context, [id = ''], { by = '', because = '' }) => {
      const { words, options, ...asked } = await approveOperatorAction(context, id, { by, because })
      return carryOut(context, words, { ...options, by: asked.by, because: asked.because }, asked.at)
    },
  ),
}

const ARGUMENTS: Readonly<Record<string, RegExp>> = {
  id: /^(pi|sub)_\w+$/,
  payment: /^pi_\w+$/,
  user: /^[^/]{1,128}$/,
  batch: /^[^/]+$/,
  submission: /^\d{13}-[\da-f-]{36}$/,
  action: /^[\w-]+$/,
  reference: /^[A-Za-z\d][A-Za-z\d.-]{0,99}$/,
}

const SIGNATURE = ' --by NAME --because TEXT'

export const describeUsage = (usage: string): string =>
  COMMANDS[usage]?.writes ? `${usage}${SIGNATURE}` : usage

export const parseCommandName = (usage: string): string => usage.split(/ [[<-]/)[0] ?? ''

export const findUsage = (words: readonly string[]): string | undefined =>
  Object.keys(COMMANDS).find((usage) => `${words.join(' ')} `.startsWith(`${parseCommandName(usage)} `))

/** @throws CommandError if nothing was changed; or a service's error, after which repeating is safe. */
export async function runCommand(
  context: PayoutContext,
  words: readonly string[],
  options: CommandOptions = {},
  { isSecondPersonRequired = false } = {},
): Promise<CommandOutput> {
  const usage = findUsage(words) ?? ''
  const { writes, needsSecondPerson } = COMMANDS[usage] ?? {}
  const [about, { by = '', because = '', ...given }] = parseArguments(usage, words, options)
  // An approval is recorded with the action that it approves.
  if (writes && usage !== APPROVE) {
    const waits =
      typeof needsSecondPerson === 'function'
        ? await needsSecondPerson(context, about[0] ?? '', by)
        : needsSecondPerson === true && isSecondPersonRequired
    const id = await recordOperatorAction(context, { by, because, words, options: given, about, waits })
    if (waits)
      return {
        lines: [
          'Nothing was changed yet: another operator must approve this within a day.',
          `npm run ops -- ${APPROVE.replace('<action>', id)}${SIGNATURE}`,
        ],
      }
  }
  return carryOut(context, words, options)
}

async function carryOut(
  context: PayoutContext,
  words: readonly string[],
  options: CommandOptions,
  /** UTC ms of the request that another operator has approved. */
  askedAt: number | null = null,
): Promise<CommandOutput> {
  const usage = findUsage(words) ?? ''
  const answer = await COMMANDS[usage]?.run?.(context, ...parseArguments(usage, words, options), askedAt)
  if (!answer)
    throw new CommandError(`'${words.join(' ')}' is not a command. List them: npm run ops -- --help`)
  return 'lines' in answer ? answer : { lines: answer }
}

/** @throws CommandError if the arguments don't match the usage */
export function parseArguments(
  usage: string,
  words: readonly string[],
  options: CommandOptions,
): [args: readonly string[], options: CommandOptions] {
  const args = words.slice(parseCommandName(usage).split(' ').length)
  const full = describeUsage(usage)
  const expected = [...usage.matchAll(/(\[?)<(\w+)>/g)]
  const required = expected.filter(([, bracket]) => bracket === '').length
  const most = usage.includes('…') ? Number.POSITIVE_INFINITY : expected.length
  const given = Object.entries(options).map(([name, value]) => [name, value.trim()] as const)
  const isUsed =
    args.length >= required &&
    args.length <= most &&
    args.every(
      (arg, index) => ARGUMENTS[(expected[index] ?? expected.at(-1))?.[2] ?? '']?.test(arg) ?? true,
    ) &&
    given.every(([name, value]) => value !== '' && full.includes(`--${name} `)) &&
    OPTION_NAMES.every((name) => !full.includes(` --${name} `) || given.some(([one]) => one === name))
  if (!isUsed) throw new CommandError(`Usage: npm run ops -- ${full}`)
  return [args, Object.fromEntries(given)]
}
