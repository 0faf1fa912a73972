import { FINAL_FAILURES } from '../../domain/delivery.ts'
import { checkInvoiceLookup } from '../../domain/invoice.ts'
import type { Context } from '../../netlify/server/platform/context.ts'
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
import { allowInvoice, explainInvoice } from './invoice.ts'
import { changeCoupon, closePayments, openPayments, rebuildRecords, showPayments } from './payments.ts'
import { resumePerson, showPerson, stopPerson } from './people.ts'
import { reconcile } from './reconcile.ts'

export const OPTIONS = ['by', 'export', 'reference', 'reason'] as const
export type Options = Readonly<Partial<Record<(typeof OPTIONS)[number], string>>>

/** What a command prints. `isBad` makes it end with 1. */
export interface Answer {
  readonly lines: readonly string[]
  readonly isBad?: boolean
}

export interface Command {
  /** The name, then `<arguments>` and `--options`, in brackets if they may be left out. Checked as it stands here. */
  readonly usage: string
  readonly about: string
  /** Whether it changes anything: it then names what it is about to change. */
  readonly writes?: true
  /** Null for the doctor, which also runs with settings from which no context can be made. */
  readonly run:
    | ((context: Context, args: readonly string[], options: Options) => Promise<readonly string[] | Answer>)
    | null
}

export const COMMANDS: readonly Command[] = [
  { usage: 'doctor', about: 'Checks everything that a deployment needs', run: null },
  {
    usage: 'explain <id>',
    about: 'Shows what happened to a payment (pi_…) or a plan (sub_…), and where its money is',
    run: (context, [id = '']) => explain(context, id),
  },
  {
    usage: 'reconcile [<day>]',
    about: "Compares a day's charges with the records; yesterday's by default",
    run: (context, [day]) => reconcile(context, day),
  },
  {
    usage: 'payments show',
    about: 'Shows whether users can pay, and which coupons have ended',
    run: showPayments,
  },
  {
    usage: 'payments close',
    about: 'Lets no user begin a payment; payments that were begun are settled, and refunds wait',
    writes: true,
    run: closePayments,
  },
  {
    usage: 'payments open',
    about: 'Lets users pay again',
    writes: true,
    run: openPayments,
  },
  {
    usage: 'payments rebuild',
    about: 'Writes again what a restored database has forgotten, then opens payments',
    writes: true,
    run: rebuildRecords,
  },
  {
    usage: 'coupon end <coupon>',
    about: 'Refuses a coupon from now on; payments that were begun keep their price',
    writes: true,
    run: (context, [coupon = '']) => changeCoupon(context, coupon, { hasEnded: true }),
  },
  {
    usage: 'coupon allow <coupon>',
    about: 'Accepts an ended coupon again',
    writes: true,
    run: (context, [coupon = '']) => changeCoupon(context, coupon, { hasEnded: false }),
  },
  {
    usage: 'people show <user>',
    about: "Shows what pauses a user's payments",
    run: (context, [uid = '']) => showPerson(context, uid),
  },
  {
    usage: 'people stop <user>',
    about: "Pauses a user's payments and ends those that were begun",
    writes: true,
    run: (context, [uid = '']) => stopPerson(context, uid),
  },
  {
    usage: 'people resume <user>',
    about: "Lifts every pause of a user's payments",
    writes: true,
    run: (context, [uid = '']) => resumePerson(context, uid),
  },
  {
    usage: 'deliveries list',
    about: 'Lists transfers that are due, in hand, held, waiting for us, or with a provider for a day',
    run: listDeliveries,
  },
  {
    usage: 'deliveries claim --by NAME [--export FILE] [<payment>…]',
    about: 'Takes in hand what is due, or these transfers; at most 500. The file is for a bank or an agent',
    writes: true,
    run: (context, ids, { by = '', export: path }) => claimDeliveries(context, { by, ids, path }),
  },
  {
    usage: 'deliveries batch <batch> [--export FILE]',
    about: 'Lists what is still in hand of a claim, or writes its file again',
    run: (context, [batch = ''], { export: path }) => showBatch(context, batch, path),
  },
  {
    usage: 'deliveries delivered <payment> --reference TEXT',
    about: "Records that a transfer has arrived; the reference is what the recipient's wallet shows",
    writes: true,
    run: (context, [id = ''], { reference = '' }) => confirmDelivery(context, id, reference),
  },
  {
    usage: 'deliveries failed <payment> --reason REASON',
    about: `Refunds a transfer that can't be paid: ${FINAL_FAILURES.join(', ')}`,
    writes: true,
    run: (context, [id = ''], { reason = '' }) => failDelivery(context, id, reason),
  },
  {
    usage: 'deliveries release <payment>',
    about: 'Returns a transfer that nobody has paid, or ends its hold',
    writes: true,
    run: (context, [id = '']) => releaseDelivery(context, id),
  },
  {
    usage: 'deliveries hold <payment>',
    about: 'Holds a transfer until it is released',
    writes: true,
    run: (context, [id = '']) => holdDelivery(context, id),
  },
  {
    usage: 'invoice show <supplier> <reference>',
    about: 'Shows the state of an invoice, and why it can or cannot be paid',
    run: (context, args) => explainInvoice(context, parseInvoice(args)),
  },
  {
    usage: 'invoice allow <supplier> <reference> <day>',
    about: 'Allows an invoice with this due date to be paid once, although it seems to be paid',
    writes: true,
    run: async (context, args) => {
      const lookup = parseInvoice(args)
      const result = await allowInvoice(context, lookup, args[2] ?? '')
      return [result, ...(await explainInvoice(context, lookup))]
    },
  },
]

function parseInvoice([supplier = '', reference = '']: readonly string[]) {
  const lookup = checkInvoiceLookup({ supplier, reference })
  if (!lookup.ok) throw new CommandError(`There can't be an invoice ${reference} of ${supplier}.`)
  return lookup.value
}

/** The kinds of arguments in `usage`. */
const ARGUMENTS: Readonly<Record<string, RegExp>> = {
  id: /^(pi|sub)_\w+$/,
  payment: /^pi_\w+$/,
  user: /^[^/]{1,128}$/,
  batch: /^[^/]+$/,
}

export const nameOf = ({ usage }: Command): string => usage.split(/ [[<-]/)[0] ?? ''

/** Finds the command that the words begin with. */
export const findCommand = (words: readonly string[]): Command | undefined =>
  COMMANDS.find((command) => `${words.join(' ')} `.startsWith(`${nameOf(command)} `))

/**
 * Runs a command with a context.
 *
 * @param words the name and the arguments.
 * @throws CommandError, after which nothing was changed; or a hosted service's error, after which running it again is safe.
 */
export async function runCommand(
  context: Context,
  words: readonly string[],
  options: Options = {},
): Promise<Answer> {
  const command = findCommand(words)
  if (!command?.run) throw new CommandError(`There is no command '${words.join(' ')}'.`)
  const answer = await command.run(context, ...parseUsage(command, words, options))
  return 'lines' in answer ? answer : { lines: answer }
}

/** Checks arguments and options against the usage of the command. */
export function parseUsage(
  command: Command,
  words: readonly string[],
  options: Options,
): [args: readonly string[], options: Options] {
  const { usage } = command
  const args = words.slice(nameOf(command).split(' ').length)
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
