import type { Firestore } from 'firebase-admin/firestore'
import { deliveryOrderSchema } from '../../../domain/payouts/deliveryOrder.ts'
import { number, object, string } from '../../../domain/schema.ts'
import { createDocumentParser } from '../platform/documents.ts'

export const deliveries = (db: Firestore) => db.collection('deliveries')
export const deliveryBatches = (db: Firestore) => db.collection('deliveryBatches')

export const parseDeliveryOrder = createDocumentParser(deliveryOrderSchema)

/**
 * Parses a batch: its operator, and when they claimed it (UTC ms). Orders contain only the ID of their batch.
 */
export const parseDeliveryBatch = createDocumentParser(object({ by: string, claimedAt: number }))
