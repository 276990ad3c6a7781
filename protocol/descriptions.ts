import { deliveryDescriptions } from './chat/delivery.js'
import { dispatchDescriptions } from './chat/dispatch.js'
import { chatDescriptions } from './chat/platform.js'
import { sessionsByChatDescriptions } from './chat/workflows.js'
import type { Descriptions } from './description.js'
import { closeBlockDescriptions } from './enactments/close-block.js'
import { closingDescriptions } from './enactments/closing.js'
import { reminderDescriptions } from './enactments/reminder.js'
import { fleetDescriptions, peerDescriptions } from './fleet/peers.js'
import { takeoverDescriptions } from './fleet/takeover.js'
import { adminDescriptions } from './host/admin.js'
import { discoveryDescriptions } from './host/discovery.js'
import { eventDescriptions } from './host/events.js'
import { jobDescriptions } from './host/jobs.js'
import { syncDescriptions } from './host/sync-descriptions.js'
import { governanceDescriptions } from './identity/governance.js'
import { identityDescriptions } from './identity/identity.js'
import { auditDescriptions } from './lore/audit.js'
import { awardDescriptions } from './lore/award.js'
import { electionsDescriptions } from './lore/elections.js'
import { entityDescriptions } from './lore/entities.js'
import { entityWriteDescriptions } from './lore/entity-writes.js'
import { ledgerDescriptions } from './lore/ledger.js'
import { mapDescriptions } from './lore/maps.js'
import { nameDescriptions } from './lore/names.js'
import { peopleDescriptions } from './lore/people.js'
import { placeDescriptions, reindexDescriptions } from './lore/places.js'
import { pointsDescriptions } from './lore/points.js'
import { searchDescriptions, searchIndexDescriptions } from './lore/search.js'
import { sessionWriteDescriptions } from './lore/session-writes.js'
import { sessionDescriptions } from './lore/sessions.js'
import { modelDescriptions } from './models/models.js'
import { refusalDescriptions } from './refusal.js'
import { labelledDescriptions } from './samples/labelled.js'
import { tuningDescriptions } from './samples/tuning.js'
import { lineageDescriptions } from './transcripts/lineage.js'
import { logWriteDescriptions } from './transcripts/log-writes.js'
import { logDescriptions } from './transcripts/logs.js'
import { spokenDescriptions } from './transcripts/spoken.js'

/**
 * The description of each field of a body or an answer, for the reference. The daemon does not load these
 * texts.
 */
export const descriptions: Descriptions = {
  ...discoveryDescriptions,
  ...identityDescriptions,
  ...takeoverDescriptions,
  ...chatDescriptions,
  ...sessionsByChatDescriptions,
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
  ...awardDescriptions,
  ...pointsDescriptions,
  ...electionsDescriptions,
  ...placeDescriptions,
  ...mapDescriptions,
  ...logWriteDescriptions,
  ...labelledDescriptions,
  ...reindexDescriptions,
  ...entityDescriptions,
  ...entityWriteDescriptions,
  ...nameDescriptions,
  ...sessionDescriptions,
  ...sessionWriteDescriptions,
  ...closeBlockDescriptions,
  ...closingDescriptions,
  ...reminderDescriptions,
  ...governanceDescriptions,
  ...ledgerDescriptions,
  ...searchDescriptions,
  ...searchIndexDescriptions,
  ...logDescriptions,
  ...spokenDescriptions,
  ...lineageDescriptions,
  ...tuningDescriptions,
  ...modelDescriptions,
  ...refusalDescriptions,
  WithheldChange: {
    file: 'Path of the file; null where the caller may not know it.',
    added: 'Number of added lines that are left out.',
    removed: 'Number of removed lines that are left out.',
    required: 'Capabilities of which any one, held in full, shows the lines.',
  },
}
