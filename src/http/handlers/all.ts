import type { routes } from '#protocol/routes.js'
import type { Handlers } from '#src/http/routing/handler.js'
import type { Host } from '#src/ports/host.js'
import type { PlannedId } from '#src/writing/command.js'
import { adminHandlers, jobsHandlers, syncHandlers } from './admin.js'
import { auditHandlers } from './audit.js'
import { byChatHandlers, deliveryHandlers, dispatchHandlers, reminderHandlers } from './chat.js'
import { discoveryHandlers, eventsHandlers } from './discovery.js'
import { entitiesHandlers } from './entities.js'
import { derivedHandlers, fleetHandlers, monitorHandlers, peersHandlers, takeoverHandlers } from './fleet.js'
import { governanceHandlers, ledgerHandlers } from './identity/governance.js'
import {
  apiKeysHandlers,
  chatWorkflowsHandlers,
  identityHandlers,
  tokensHandlers,
} from './identity/identity.js'
import { chatSignInHandlers, gameSignInHandlers } from './identity/sign-in.js'
import { modelHandlers } from './models.js'
import { namesHandlers } from './names.js'
import { peopleHandlers, playersHandlers, rosterHandlers } from './people.js'
import { mapsHandlers, placesHandlers, reindexHandlers } from './places.js'
import { awardHandlers, electionsHandlers, pointsHandlers } from './points.js'
import { labelledHandlers } from './samples/labelled.js'
import { tuningHandlers } from './samples/tuning.js'
import { searchHandlers, searchIndexHandlers } from './search.js'
import { closeImpactHandlers, sessionsHandlers, sessionWritesHandlers } from './sessions.js'
import { lineageHandlers } from './transcripts/lineage.js'
import { logWriteHandlers } from './transcripts/log-writes.js'
import { logsHandlers } from './transcripts/logs.js'
import { spokenHandlers } from './transcripts/spoken.js'

/**
 * One handler for every row that is answered here; a missing or extra one does not compile. A write needs
 * none: its row has a planner, and the request goes to the gate as it is.
 */
export const handlers: Handlers<Pick<typeof routes, Handled>, Host> = {
  ...discoveryHandlers,
  ...gameSignInHandlers,
  ...chatSignInHandlers,
  ...identityHandlers,
  ...tokensHandlers,
  ...apiKeysHandlers,
  ...chatWorkflowsHandlers,
  ...byChatHandlers,
  ...adminHandlers,
  ...syncHandlers,
  ...deliveryHandlers,
  ...reminderHandlers,
  ...takeoverHandlers,
  ...dispatchHandlers,
  ...peersHandlers,
  ...monitorHandlers,
  ...derivedHandlers,
  ...fleetHandlers,
  ...eventsHandlers,
  ...jobsHandlers,
  ...auditHandlers,
  ...peopleHandlers,
  ...rosterHandlers,
  ...playersHandlers,
  ...pointsHandlers,
  ...electionsHandlers,
  ...awardHandlers,
  ...placesHandlers,
  ...reindexHandlers,
  ...mapsHandlers,
  ...entitiesHandlers,
  ...namesHandlers,
  ...sessionsHandlers,
  ...closeImpactHandlers,
  ...sessionWritesHandlers,
  ...governanceHandlers,
  ...ledgerHandlers,
  ...searchHandlers,
  ...searchIndexHandlers,
  ...logsHandlers,
  ...spokenHandlers,
  ...lineageHandlers,
  ...logWriteHandlers,
  ...labelledHandlers,
  ...tuningHandlers,
  ...modelHandlers,
}

/** Rows of writes whose handler prepares something before their command is sent. */
type Prepared =
  | 'apiKeys.issue'
  | 'workflows.registerByChat'
  | 'workflows.assignByChat'
  | 'sessionRegistry.regenerate'
  | 'workflows.awardPu'
  | 'workflows.closeReminder'
  | 'maps.dimensions.set'
  | 'logs.fetch'
  | 'sessions.logs.refresh'
  | 'logs.import'
  | 'logs.archive.reparse'
  | 'training.samples.confirm'
  | 'training.samplesConfirmations.add'
  | 'sessions.bindings.set'
  | 'training.finetuneSamples.confirm'
  | 'training.finetuneSamplesConfirmations.add'

type Handled = Exclude<keyof typeof routes, PlannedId<typeof routes>> | Prepared
