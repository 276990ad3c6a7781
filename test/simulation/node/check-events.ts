import type { EventItem } from '#src/ports/records.js'
import type { Trace } from './trace.js'

/** What readers of a host's events got, held against S27 and S28. */
export interface EventChecks {
  /** A reader that stands at `at` gets its next item; `prunedThrough` is the last number that the retention took. */
  readonly read: (host: string, reader: string, at: number, item: EventItem, prunedThrough: number) => void
  /** A reader has come to the end; all that any reader of the host ever saw is still before it. */
  readonly atRest: (host: string, head: number) => void
}

/** What is told once: the end of a job, and a write that stands. */
const onceOnly = /"kind":"(?:job:ended|write:committed)","payload":\{"(?:jobId|commit)":"([^"]+)"/u

export const eventChecks = ({ mark, violation }: Trace): EventChecks => {
  const texts = new Map<string, Map<number, string>>()
  const once = new Map<string, number>()

  const checkEvent = (host: string, seq: number, text: string): void => {
    const known = texts.get(host) ?? new Map<number, string>()
    texts.set(host, known)
    const before = known.get(seq)
    if (before !== undefined && before !== text) violation(`${host}: event ${seq} was given twice (S27)`)
    known.set(seq, text)
    if (!text.startsWith(`{"seq":${seq},`)) violation(`${host}: event ${seq} says another number (S27)`)
    const subject = onceOnly.exec(text)?.[1]
    if (subject === undefined) return
    if ((once.get(subject) ?? seq) !== seq) violation(`${host}: ${subject} was told twice (S13, S26)`)
    once.set(subject, seq)
  }

  return {
    read: (host, reader, at, item, prunedThrough) => {
      if (item._tag === 'Event') {
        if (item.seq !== at + 1)
          violation(`${host}: the ${reader} reader got ${item.seq} behind ${at} and no gap (S27, S28)`)
        checkEvent(host, item.seq, item.text)
        return
      }
      const { from, to, reason } = item.gap
      mark('the retention was quicker than a reader')
      if (reason !== 'pruned' || from !== at + 1 || to !== item.seq || to > prunedThrough)
        violation(`${host}: the ${reader} reader at ${at} got a gap ${from} to ${to}, ${reason} (S28)`)
    },
    atRest: (host, head) => {
      const last = Math.max(0, ...(texts.get(host)?.keys() ?? []))
      if (last > head) violation(`${host}: event ${last} was seen and is gone (S27)`)
    },
  }
}
