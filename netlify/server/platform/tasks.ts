/** The records decide what is due: a task only starts the work early. */
export interface Task {
  readonly work: 'delivery' | 'refund'
  /** PaymentIntent ID. */
  readonly id: string
  /** 'stripe' or a payout provider. */
  readonly service: string
  /** UTC ms. */
  readonly at: number
}
