export type FurtherAction = 'addContact' | 'sendAgain'

/**
 * Lists the actions for the recipient, the more fitting one first: a transfer that has arrived is sent again,
 * and a new recipient is saved.
 */
export function listFurtherActions({
  isContact,
  isDelivered,
  canSendAgain,
}: {
  readonly isContact: boolean
  readonly isDelivered: boolean
  readonly canSendAgain: boolean
}): readonly FurtherAction[] {
  const actions: FurtherAction[] = [
    ...(isContact ? [] : ['addContact' as const]),
    ...(canSendAgain ? ['sendAgain' as const] : []),
  ]
  return isDelivered ? actions.reverse() : actions
}
