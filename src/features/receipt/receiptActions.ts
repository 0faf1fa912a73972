export type FurtherAction = 'addContact' | 'sendAgain'

/** The more fitting action comes first. */
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
