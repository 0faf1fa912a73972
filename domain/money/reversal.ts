/** Why a charge's money is no longer ours. `refundedByHand`: by an operator at the provider. */
export type Reversal = 'disputed' | 'refundedByHand'
