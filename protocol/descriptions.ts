import { adminDescriptions } from './admin.js'
import { auditDescriptions } from './audit.js'
import { deliveryDescriptions } from './chat/delivery.js'
import { dispatchDescriptions } from './chat/dispatch.js'
import { chatDescriptions } from './chat/platform.js'
import type { Descriptions } from './description.js'
import { discoveryDescriptions } from './discovery.js'
import { entityDescriptions } from './entities.js'
import { entityWriteDescriptions } from './entity-writes.js'
import { eventDescriptions } from './events.js'
import { fleetDescriptions, peerDescriptions } from './fleet/peers.js'
import { takeoverDescriptions } from './fleet/takeover.js'
import { governanceDescriptions } from './governance.js'
import { identityDescriptions } from './identity.js'
import { jobDescriptions } from './jobs.js'
import { ledgerDescriptions } from './ledger.js'
import { nameDescriptions } from './names.js'
import { peopleDescriptions } from './people.js'
import { placeDescriptions, reindexDescriptions } from './places.js'
import { pointsDescriptions } from './points.js'
import { refusalDescriptions } from './refusal.js'
import { searchDescriptions, searchIndexDescriptions } from './search.js'
import { sessionWriteDescriptions } from './session-writes.js'
import { sessionDescriptions } from './sessions.js'
import { syncDescriptions } from './sync-routes.js'

/**
 * The description of each field of a body or an answer, for the reference. The daemon does not load these
 * texts.
 */
export const descriptions: Descriptions = {
  ...discoveryDescriptions,
  ...identityDescriptions,
  ...takeoverDescriptions,
  ...chatDescriptions,
  ...dispatchDescriptions,
  ...deliveryDescriptions,
  ...adminDescriptions,
  ...peerDescriptions,
  ...syncDescriptions,
  ...fleetDescriptions,
  ...eventDescriptions,
  ...jobDescriptions,
  ...auditDescriptions,
  ...peopleDescriptions,
  ...pointsDescriptions,
  ...placeDescriptions,
  ...reindexDescriptions,
  ...entityDescriptions,
  ...entityWriteDescriptions,
  ...nameDescriptions,
  ...sessionDescriptions,
  ...sessionWriteDescriptions,
  ...governanceDescriptions,
  ...ledgerDescriptions,
  ...searchDescriptions,
  ...searchIndexDescriptions,
  ...refusalDescriptions,
  WithheldChange: {
    file: 'Path of the file; null where the caller may not know it.',
    added: 'Number of added lines that are left out.',
    removed: 'Number of removed lines that are left out.',
    required: 'Capabilities of which any one, held in full, shows the lines.',
  },
}
