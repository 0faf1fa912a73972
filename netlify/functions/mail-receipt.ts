import { MAIL_RECEIPT } from '../../domain/api/transfers.ts'
import { createEndpoint } from '../server/endpoints/endpoint.ts'
import { createReceiptMailing } from '../server/endpoints/mailReceipt.ts'
import { getEnvironmentContext } from '../server/platform/context.ts'
import { createSmtpMailer } from '../server/platform/smtpMailer.ts'

export const respond = createEndpoint(MAIL_RECEIPT, createReceiptMailing(createSmtpMailer))

export default (request: Request) => respond(request, getEnvironmentContext)
