import type { AfterWrite } from '#actors/write-gate/plan-on.js'
import { auditLinesOfWrite } from '#src/domain/events/audit-of.js'
import type { Records } from '../records/records.js'

/**
 * What every host does after a write (A 4.1.4): writes its log line, its event, and its audit lines
 * (ADR 1012).
 */
export const afterWrites = (
  { publish, audit }: Pick<Records, 'publish' | 'audit'>,
  info: (event: string, fields: object) => void,
): ReadonlyArray<AfterWrite> => [
  {
    name: 'log',
    run: ({ commit, route, actor, subject }) => info('wrote', { commit, route, actor, subject }),
  },
  {
    name: 'events',
    run: fact => {
      const { commit, actor, touches } = fact
      publish('write:committed', fact)
      for (const { kind, name } of touches)
        if (kind === 'permissions') publish('governance:changed', { commit, gameId: name, actor })
    },
  },
  {
    name: 'audit',
    run: fact => {
      for (const line of auditLinesOfWrite(fact)) audit({ ...line, commit: fact.commit })
    },
  },
]
