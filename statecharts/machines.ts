import type { AnyStateMachine } from 'xstate'
import { appLockMachine } from '../machines/appLock.ts'
import { deliveryMachine } from '../machines/delivery.ts'
import { identityUploadMachine } from '../machines/identityUpload.ts'
import { invoiceMachine } from '../machines/invoice.ts'
import { phoneOtpMachine } from '../machines/phoneOtp.ts'
import { popupQueueMachine } from '../machines/popupQueue.ts'
import { pushMachine } from '../machines/push.ts'
import { receiptCheckMachine } from '../machines/receiptCheck.ts'
import { sessionMachine } from '../machines/session.ts'
import { subscriptionMachine } from '../machines/subscription.ts'
import { transferMachine } from '../machines/transfer.ts'
import { updateMachine } from '../machines/update.ts'

/** A machine's ID is the name of its file. */
export const machines: readonly AnyStateMachine[] = [
  appLockMachine,
  deliveryMachine,
  identityUploadMachine,
  invoiceMachine,
  phoneOtpMachine,
  popupQueueMachine,
  pushMachine,
  receiptCheckMachine,
  sessionMachine,
  subscriptionMachine,
  transferMachine,
  updateMachine,
]
