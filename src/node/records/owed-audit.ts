import { instantOf } from '#protocol/atoms.js'
import { keyOf } from '#protocol/events.js'
import type { Audit, OwedAudit, OwedLine, RecordLog } from '#src/ports/records.js'

/** The fields of a record of a stream; empty where it is not an object. */
const fieldsOf = (json: string): Readonly<Record<string, unknown>> => {
  const record: unknown = JSON.parse(json)
  return typeof record === 'object' && record !== null ? { ...record } : {}
}

/** The keys of the owed lines among records that the stream now has on disk. */
export const keysOf = (records: ReadonlyArray<string>): ReadonlyArray<string> =>
  records.flatMap(json => keyOf(fieldsOf(json)) ?? [])

export interface OwedPorts {
  readonly owed: OwedAudit
  readonly log: Pick<RecordLog, 'newest'>
  readonly audit: Audit
  readonly warn: (event: string, fields: object) => void
}

/**
 * The owed lines that the stream has nevertheless: the crash came after its fsync and before they were marked
 * as paid.
 */
const findWrittenKeys = async (
  log: OwedPorts['log'],
  owed: ReadonlyArray<OwedLine>,
): Promise<ReadonlySet<string>> => {
  const wanted = new Set(owed.map(({ key }) => key))
  const lines = await log.newest(Number.MAX_SAFE_INTEGER, wanted.size, ({ text }) =>
    keysOf([text]).some(key => wanted.has(key)),
  )
  return new Set(keysOf(lines.map(({ text }) => text)))
}

/**
 * Writes the audit lines of what was committed before this boot and that a crash kept from the audit stream
 * (ADR 1012); `landed` is when. A second call does not write them again. A failure is logged, and the lines
 * are left to the next boot.
 */
export const auditOwedLines = ({ owed, log, audit, warn }: OwedPorts): (() => Promise<void>) => {
  const done = new Set<string>()
  return async () => {
    try {
      const open = owed.before().filter(({ key }) => !done.has(key))
      if (open.length === 0) return
      const there = await findWrittenKeys(log, open)
      owed.paid([...there])
      for (const { key, atMs, line } of open) {
        done.add(key)
        if (!there.has(key)) audit({ ...line, landed: instantOf(atMs) })
      }
    } catch (error) {
      warn('audit_owed', { error })
    }
  }
}
