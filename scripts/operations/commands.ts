import { FINAL_FAILURES } from '../../domain/schemas/delivery.ts'
import type { PayoutContext } from '../../netlify/server/payouts/payoutContext.ts'
import { CommandError } from './commandError.ts'
import {
  claimDeliveries,
  confirmDelivery,
  failDelivery,
  holdDelivery,
  listDeliveries,
  releaseDelivery,
  showBatch,
} from './deliveries.ts'
import { explain } from './explain.ts'
import { allowInvoice, showInvoice } from './invoice.ts'
import {
  allowCoupon,
  closePayments,
  endCoupon,
  openPayments,
  refundUnknownPayments,
  showPayments,
  showUnknownPayments,
} from './payments.ts'
import { resumePerson, showPerson, stopPerson } from './people.ts'
import { reconcile } from './reconcile.ts'

export const OPTIONS = ['by', 'export', 'reference', 'reason'] as const
export type Options = Readonly<Partial<Record<(typeof OPTIONS)[number], string>>>

/** The output of a command. With `isBad` the exit code is 1. */
export interface Answer {
  readonly lines: readonly string[]
  readonly isBad?: boolean
}

type Result = Promise<readonly string[] | Answer>
type Run = (context: PayoutContext, args: readonly string[], options: Options) => Result

export interface Command {
  readonly about: string
  /** Whether it changes anything: it then names what it is about to change. */
  readonly writes: boolean
  /** Null for the doctor, which also runs with settings from which no context can be made. */
  readonly run: Run | null
}

const readWith = (about: string, run: Run): Command => ({ about, writes: false, run })
const writeWith = (about: string, run: Run): Command => ({ about, writes: true, run })
const read = (about: string, run: (context: PayoutContext, ...args: string[]) => Result) =>
  readWith(about, (context, args) => run(context, ...args))
const write = (about: string, run: (context: PayoutContext, ...args: string[]) => Result) =>
  writeWith(about, (context, args) => run(context, ...args))

/** The commands by their usage: the name, `<arguments>` and `--options`, in brackets if optional. The usage is what is checked. */
export const COMMANDS: Readonly<Record<string, Command>> = {
  doctor: { about: 'Checks everything that a deployment needs', writes: false, run: null },
  'explain <id>': read(
    'Shows what happened to a payment (pi_…) or plan (sub_…), and where the money is',
    explain,
  ),
  'reconcile [<day>]': read("Compares a day's charges with the records; yesterday's by default", reconcile),
  'payments show': read('Shows whether users can pay, and which coupons have ended', showPayments),
  'payments close': write('Lets no user begin a payment, and no refund begin by itself', closePayments),
  'payments open': write('Lets users pay again', openPayments),
  'unknown-payments list': read(
    'Lists payments of this deployment at Stripe that the database does not know',
    showUnknownPayments,
  ),
  'unknown-payments refund <payment>…': writeWith('Refunds these unknown payments in full', (context, ids) =>
    refundUnknownPayments(context, ids),
  ),
  'coupon end <coupon>': write('Refuses a coupon; payments that were begun keep their price', endCoupon),
  'coupon allow <coupon>': write('Accepts an ended coupon again', allowCoupon),
  'people show <user>': read("Shows what pauses a user's payments", showPerson),
  'people stop <user>': write("Pauses a user's payments and ends those that were begun", stopPerson),
  'people resume <user>': write("Lifts every pause of a user's payments", resumePerson),
  'deliveries list': read('Lists transfers that are due, in hand, held, waiting or delayed', listDeliveries),
  'deliveries claim --by NAME [--export FILE] [<payment>…]': writeWith(
    'Takes in hand what is due, or these transfers; at most 500. The file is for a bank or an agent',
    (context, ids, { by = '', export: path }) => claimDeliveries(context, { by, ids, path }),
  ),
  'deliveries batch <batch> [--export FILE]': readWith(
    'Lists what is still in hand of a claim, or writes its file again',
    (context, [batch = ''], { export: path }) => showBatch(context, batch, path),
  ),
  'deliveries delivered <payment> --reference TEXT': writeWith(
    "Records that a transfer has arrived; the reference is what the recipient's wallet shows",
    (context, [id = ''], { reference = '' }) => confirmDelivery(context, id, reference),
  ),
  'deliveries failed <payment> --reason REASON': writeWith(
    `Refunds a transfer that can't be paid: ${FINAL_FAILURES.join(', ')}`,
    (context, [id = ''], { reason = '' }) => failDelivery(context, id, reason),
  ),
  'deliveries release <payment>': write(
    'Returns a transfer that was not paid, or ends its hold',
    releaseDelivery,
  ),
  'deliveries hold <payment>': write('Holds a transfer until it is released', holdDelivery),
  'invoice show <supplier> <reference>': read('Shows whether an invoice can be paid', showInvoice),
  'invoice allow <supplier> <reference> <day>': write(
    'Allows an invoice with this due date to be paid once, although it seems to be paid',
    allowInvoice,
  ),
}

/** The kinds of arguments in `usage`. */
const ARGUMENTS: Readonly<Record<string, RegExp>> = {
  id: /^(pi|sub)_\w+$/,
  payment: /^pi_\w+$/,
  user: /^[^/]{1,128}$/,
  batch: /^[^/]+$/,
}

export const parseName = (usage: string): string => usage.split(/ [[<-]/)[0] ?? ''

/** Finds the usage of the command that the words begin with. */
export const findUsage = (words: readonly string[]): string | undefined =>
  Object.keys(COMMANDS).find((usage) => `${words.join(' ')} `.startsWith(`${parseName(usage)} `))

/**
 * Runs a command with a context.
 *
 * @param words the name and the arguments.
 * @throws CommandError, after which nothing was changed; or a hosted service's error, after which running it again is safe.
 */
export async function runCommand(
  context: PayoutContext,
  words: readonly string[],
  options: Options = {},
): Promise<Answer> {
  const usage = findUsage(words) ?? ''
  const run = COMMANDS[usage]?.run
  if (!run) throw new CommandError(`There is no command '${words.join(' ')}'.`)
  const answer = await run(context, ...parseUsage(usage, words, options))
  return 'lines' in answer ? answer : { lines: answer }
}

/** Checks arguments and options against a usage. */
export function parseUsage(
  usage: string,
  words: readonly string[],
  options: Options,
): [args: readonly string[], options: Options] {
  const args = words.slice(parseName(usage).split(' ').length)
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
    given.every(([name, value]) => value !== '' && usage.includes(`--${name} `)) &&
    OPTIONS.every((name) => !usage.includes(` --${name} `) || given.some(([one]) => one === name))
  if (!isUsed) throw new CommandError(`Usage: npm run ops -- ${usage}`)
  return [args, Object.fromEntries(given)]
}
