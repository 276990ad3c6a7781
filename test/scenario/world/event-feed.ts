import { isLeft } from 'fp-ts/lib/Either.js'
import { EventPage, type EventRecord } from '#protocol/host/events.js'
import { jsonField } from '#test/support/json-field.js'
import type { ScenarioHost } from './host.js'
import type { Story } from './story.js'

/** The events of the hosts, as their journals have them; the journal of a host that was killed is read later. */
export interface JournalFeed {
  /** Reads what is new of each host that answers. */
  readonly read: () => Promise<void>
  /** The events of a host that were read so far, oldest first. */
  readonly of: (town: string) => ReadonlyArray<EventRecord>
  readonly close: () => Promise<void>
}

const paceMs = 200

type Describe = (text: (name: string) => string) => string

/** The kinds that the story tells, and their sentences. */
const sentences: Readonly<Record<string, Describe>> = {
  'fleet:role': text => `role ${text('before')} → ${text('role')}, term ${text('term')} of ${text('apex')}`,
  'fleet:peer': text =>
    text('reachable') === 'true'
      ? `sees ${text('town')}`
      : `does not see ${text('town')} (${text('failure')})`,
  'fleet:takeover': text => {
    const end = text('failure') === 'null' ? '' : ` (${text('failure')})`
    const request = text('mrIid') === 'null' ? '' : `, request !${text('mrIid')}`
    return `takeover from ${text('apex')} by ${text('town')}: ${text('state')}${end}${request}`
  },
  'sync:parked': text => `parked ${text('ref')}`,
  'sync:failed': text => `converge failed: ${text('action')}`,
}

const describeEvent = ({ kind, payload }: EventRecord): string | null =>
  sentences[kind]?.(name => String(jsonField(payload, name))) ?? null

/** Follows the journals, and tells what they say of the fleet. */
export const followEvents = (hosts: ReadonlyArray<ScenarioHost>, story: Story): JournalFeed => {
  const events = new Map<string, ReadonlyArray<EventRecord>>()
  let isClosed = false
  const none: ReadonlyArray<EventRecord> = []
  const of = (town: string): ReadonlyArray<EventRecord> => events.get(town) ?? none
  const readHost = async (host: ScenarioHost): Promise<void> => {
    const known = of(host.town)
    const since = known.at(-1)?.seq ?? 0
    const reply = await host.client()?.ask(`/events/journal?since=${since}&limit=1000`)
    const page = EventPage.decode(reply?.json)
    // Another reading may have been faster.
    if (isLeft(page) || of(host.town) !== known || page.right.items.length === 0) return
    events.set(host.town, [...known, ...page.right.items])
    for (const event of page.right.items) {
      const sentence = describeEvent(event)
      if (sentence !== null) story.tell(host.town, sentence, Date.parse(event.at))
    }
  }
  // A host that ends or is stopped while it is asked has no answer; the next reading gets its events.
  const read = async (): Promise<void> => {
    await Promise.all(hosts.map(host => readHost(host).catch(() => undefined)))
  }
  const run = async (): Promise<void> => {
    while (!isClosed) {
      await Promise.race([read(), new Promise(resolve => setTimeout(resolve, 2_000))])
      await new Promise(resolve => setTimeout(resolve, paceMs))
    }
  }
  const running = run()
  return {
    read,
    of,
    close: async () => {
      isClosed = true
      await running
    },
  }
}
