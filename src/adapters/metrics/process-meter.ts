import type { Meter } from '#src/ports/records.js'

type Counting = Pick<Meter, 'count' | 'observe'>

const attached = new Set<Counting>()

/**
 * The meter of this process, for code below the ports that is also used where there is no node: each git, each call of
 * SQLite, each call out. It passes what it is told to every attached meter, and does nothing where none is, as in the
 * command line and in worker threads. A process is one host, so the figures are those of the host.
 */
export const processMeter: Counting = {
  count: (name, labels, by) => {
    for (const meter of attached) meter.count(name, labels, by)
  },
  observe: (name, labels, value) => {
    for (const meter of attached) meter.observe(name, labels, value)
  },
}

/** Attaches a meter until the returned function is called. */
export const attachMeter = (meter: Counting): (() => void) => {
  attached.add(meter)
  return () => void attached.delete(meter)
}
