import type { Firestore } from 'firebase-admin/firestore'
import * as v from 'valibot'
import { finiteNumber } from '../../../domain/common/schema.ts'
import { deliveryOrderSchema } from '../../../domain/payouts/deliveryOrder.ts'
import { createDocumentParser } from '../platform/documents.ts'

export const deliveries = (db: Firestore) => db.collection('deliveries')
export const deliveryBatches = (db: Firestore) => db.collection('deliveryBatches')

export const parseDeliveryOrder = createDocumentParser(deliveryOrderSchema)

/** `claimedAt`: UTC ms. Orders contain only the ID of their batch. */
export const parseDeliveryBatch = createDocumentParser(v.object({ by: v.string(), claimedAt: finiteNumber }))
