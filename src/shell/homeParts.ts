// One module exports all parts, for a single chunk. None of them needs the sign-in SDK.

export { ArrivalNotice } from '../features/history/ArrivalNotice.tsx'
export { PushNotificationHandler } from '../features/history/PushNotificationHandler.tsx'
export { CapLeft, CapWarning } from '../features/plans/CapLeft.tsx'
export { ConfirmationNotice } from '../features/plans/ConfirmationNotice.tsx'
export { MonthRow } from '../features/plans/PlanSummaries.tsx'
export { IdentityWarning } from './IdentityWarning.tsx'
export { InstallCard } from './InstallCard.tsx'
export { StorageBar } from './StorageBar.tsx'
