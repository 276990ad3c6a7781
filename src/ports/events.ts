import type { EventKind, EventPayload } from '#protocol/events/kinds.js'

/** Hands an event to the journal and the live stream. Never throws, never waits; what fails is counted there. */
export type Publish = <K extends EventKind>(kind: K, payload: EventPayload<K>) => void
