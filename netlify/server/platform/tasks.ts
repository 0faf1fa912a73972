/**
 * Due work of one item, identified by its ID. The records decide what is due: a task only starts the work
 * early.
 */
export interface Task {
  readonly work: 'delivery' | 'refund'
  /** PaymentIntent ID. */
  readonly id: string
  /** The service that the work mostly waits for: 'stripe' or a payout provider. */
  readonly service: string
  /** When the work is due (UTC ms). */
  readonly at: number
}
