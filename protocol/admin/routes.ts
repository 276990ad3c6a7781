import * as t from 'io-ts'
import { JobEnvelope } from '#protocol/jobs/job.js'
import { Flag } from '#protocol/query.js'
import { actsOnHost, route, type Table } from '#protocol/route.js'
import { Mode, WantedMode } from '../discovery/mode.js'
import { Adoption, adoptionRefusals, gateAnswerWithinMs } from './adoption.js'

export const adminRoutes = {
  'import.run': route({
    ...actsOnHost,
    method: 'POST',
    path: '/import',
    summary:
      'Adopts a legacy repository into format 2 in one commit, all or nothing; `async=true` makes it a job.',
    capability: 'admin.migrate',
    // No write flag: adoption must pass while the gate refuses writes with SchemaTooOld.
    query: { async: Flag },
    answerWithinMs: gateAnswerWithinMs,
    body: t.type({}, 'Nothing'),
    answers: { 200: Adoption, 202: JobEnvelope },
    refusals: adoptionRefusals,
    source: 'A 4.5, FORMATS 9, D33',
    example: { query: { async: 'false' }, body: {} },
  }),
  'admin.mode.set': route({
    ...actsOnHost,
    method: 'POST',
    path: '/admin/mode',
    anyCommit: true,
    summary: 'Closes or opens the write gate, after every write that was sent before.',
    capability: 'admin.mode',
    query: {},
    answerWithinMs: gateAnswerWithinMs,
    body: t.type({ mode: WantedMode }, 'ModeWanted'),
    answers: { 200: t.type({ mode: Mode }, 'ModeSet') },
    refusals: ['NoRepository', 'DiskRefused', 'Overloaded'],
    source: 'A 4.5, D28, S18',
    example: { body: { mode: 'read-only' } },
  }),
  'admin.shutdown': route({
    ...actsOnHost,
    method: 'POST',
    path: '/admin/shutdown',
    anyCommit: true,
    summary: 'Answers, then ends the process as SIGTERM does. A dry run answers false and ends nothing.',
    capability: 'admin.shutdown',
    query: {},
    body: null,
    answers: { 200: t.type({ stopped: t.boolean }, 'Stopped') },
    refusals: [],
    source: 'A 4.5',
    example: {},
  }),
} as const satisfies Table
