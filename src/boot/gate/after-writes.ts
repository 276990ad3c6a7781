import type { AfterWrite } from '#actors/write-gate/after-write.js'
import type { Records } from '#src/boot/records/records.js'

/** What every host does once a write stands (A 4.1.4): its event, and what identity wants in the audit (ADR 0204). */
export const afterWrites = ({
  publish,
  audit,
}: Pick<Records, 'publish' | 'audit'>): ReadonlyArray<AfterWrite> => [
  { name: 'events', run: fact => publish('write:committed', fact) },
  {
    name: 'audit',
    run: ({ audit: notes, commit, intent }) => {
      for (const { action, actor, fields } of notes) audit(action, actor, { ...fields, commit, intent })
    },
  },
]
