import { adminDescriptions } from './admin/descriptions.js'
import { auditDescriptions } from './audit/descriptions.js'
import { deliveryDescriptions } from './chat/delivery-descriptions.js'
import { chatDescriptions } from './chat/descriptions.js'
import { dispatchDescriptions } from './chat/dispatch-descriptions.js'
import type { Descriptions } from './description.js'
import { discoveryDescriptions } from './discovery/descriptions.js'
import { entityDescriptions } from './entities/descriptions.js'
import { entityWriteDescriptions } from './entities/write-descriptions.js'
import { eventDescriptions } from './events/descriptions.js'
import { fleetDescriptions } from './fleet/descriptions.js'
import { peerDescriptions } from './fleet/peer-descriptions.js'
import { takeoverDescriptions } from './fleet/takeover-descriptions.js'
import { governanceDescriptions } from './governance/descriptions.js'
import { identityDescriptions } from './identity/descriptions.js'
import { jobDescriptions } from './jobs/descriptions.js'
import { ledgerDescriptions } from './ledger/descriptions.js'
import { nameDescriptions } from './names/descriptions.js'
import { peopleDescriptions } from './people/descriptions.js'
import { placeDescriptions } from './places/descriptions.js'
import { reindexDescriptions } from './places/reindex-descriptions.js'
import { pointsDescriptions } from './points/descriptions.js'
import { refusalDescriptions } from './refusal-descriptions.js'
import { searchDescriptions } from './search/descriptions.js'
import { searchIndexDescriptions } from './search/index-descriptions.js'
import { sessionDescriptions } from './sessions/descriptions.js'
import { sessionWriteDescriptions } from './sessions/write-descriptions.js'
import { syncDescriptions } from './sync/descriptions.js'

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
