import * as t from 'io-ts'
import { Instant } from '../atoms/instant.js'
import { listOf } from '../list.js'
import { deliveryOperations } from './operations.js'

/** queued → sent | refused | unknown; the last three are final. */
export const deliveryStatuses = ['queued', 'sent', 'refused', 'unknown'] as const
export type DeliveryStatus = (typeof deliveryStatuses)[number]

export const DeliveryStatus = t.keyof(
  { queued: null, sent: null, refused: null, unknown: null },
  'DeliveryStatus',
)

export const DeliveryOperation = t.keyof(deliveryOperations, 'DeliveryOperation')
export type DeliveryOperation = t.TypeOf<typeof DeliveryOperation>

const textOrNull = t.union([t.string, t.null])
const instantOrNull = t.union([Instant, t.null])

/** A message of the outbox without its text, which may be meant for its recipients alone. */
export const Delivery = t.strict(
  {
    id: t.string,
    operation: DeliveryOperation,
    status: DeliveryStatus,
    category: t.string,
    channel: t.string,
    entity: textOrNull,
    attempts: t.number,
    queuedUtc: Instant,
    nextUtc: instantOrNull,
    endedUtc: instantOrNull,
    waitSeconds: t.number,
    code: t.union([t.number, t.null]),
    detail: textOrNull,
    messageId: textOrNull,
  },
  'Delivery',
)
export type Delivery = t.TypeOf<typeof Delivery>

export const Deliveries = listOf(Delivery, 'Deliveries')
