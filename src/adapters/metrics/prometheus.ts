import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import { type Metric, metrics } from '#protocol/metric.js'
import type { Meter } from '#src/ports/records.js'

export interface Prometheus {
  readonly meter: Meter
  /** The exposition text; first runs `collect`, which updates the gauges. */
  readonly text: () => Promise<string>
  readonly contentType: string
}

/** The most towns that get series of their own while a process lives: each commit may name other towns. */
export const labelledTownsMax = 1_024

/** The registry of one node: its own metrics and the process metrics of prom-client. */
export const prometheus = (collect: (meter: Meter) => void): Prometheus => {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  for (const name of [...switchedOff, ...switchedOffToo]) registry.removeSingleMetric(name)
  const { counters, gauges, histograms } = familiesOf(registry)
  beginCounters(counters)
  const bound = boundTowns()
  const exposed = exposition(registry, new Set(Object.keys(metrics)))
  const meter: Meter = {
    count: (name, labels, by = 1) => {
      counters.get(name)?.inc(bound(labels), by)
      exposed.change(name)
    },
    gauge: (name, labels, value) => {
      gauges.get(name)?.set(bound(labels), value)
      exposed.change(name)
    },
    observe: (name, labels, value) => {
      histograms.get(name)?.observe(bound(labels), value)
      exposed.change(name)
    },
    remove: (name, labels) => {
      for (const families of [counters, gauges, histograms]) families.get(name)?.remove(bound(labels))
      exposed.change(name)
    },
  }
  return {
    meter,
    text: () => {
      collect(meter)
      return exposed.text()
    },
    contentType: registry.contentType,
  }
}

/** Default metrics that promtool refuses for their names (METRICS). */
const switchedOff = [
  'nodejs_active_handles_total',
  'nodejs_active_requests_total',
  'nodejs_active_resources_total',
]

const switchedOffToo = ['nodejs_active_handles', 'nodejs_active_requests', 'nodejs_active_resources']

interface Families {
  readonly counters: ReadonlyMap<string, Counter>
  readonly gauges: ReadonlyMap<string, Gauge>
  readonly histograms: ReadonlyMap<string, Histogram>
}

const familiesOf = (registry: Registry): Families => {
  const counters = new Map<string, Counter>()
  const gauges = new Map<string, Gauge>()
  const histograms = new Map<string, Histogram>()
  for (const [name, metric] of Object.entries<Metric>(metrics)) {
    const shape = { name, help: metric.help, labelNames: metric.labels, registers: [registry] }
    if (metric.kind === 'counter') counters.set(name, new Counter(shape))
    else if (metric.kind === 'gauge') gauges.set(name, new Gauge(shape))
    else histograms.set(name, new Histogram({ ...shape, buckets: [...(metric.buckets ?? [])] }))
  }
  return { counters, gauges, histograms }
}

/** Every combination of the values of these labels; none where a label has no closed set. */
const combinationsOf = ({ labels, values = {} }: Metric): ReadonlyArray<Record<string, string>> =>
  labels.reduce<ReadonlyArray<Record<string, string>>>(
    (made, label) => made.flatMap(one => (values[label] ?? []).map(value => ({ ...one, [label]: value }))),
    [{}],
  )

/** Exports counters at 0 before they first count, so that their first count is seen as an increase. */
const beginCounters = (counters: Families['counters']): void => {
  for (const [name, metric] of Object.entries<Metric>(metrics))
    if (metric.kind === 'counter')
      for (const labels of combinationsOf(metric)) counters.get(name)?.inc(labels, 0)
}

type Labels = Partial<Record<string, string | number>>

/** Returns a function that gives the towns after the first ones one label together, which is no name of a town. */
const boundTowns = (): ((labels: Labels) => Labels) => {
  const known = new Set<unknown>()
  return labels => {
    const { town } = labels
    if (town === undefined || known.has(town)) return labels
    if (known.size >= labelledTownsMax) return { ...labels, town: '(other)' }
    known.add(town)
    return labels
  }
}

/** What an exposition needs of a registry of prom-client. */
interface MetricsRegistry {
  readonly getMetricsAsArray: () => ReadonlyArray<{ readonly name: string }>
  readonly getSingleMetricAsString: (name: string) => Promise<string>
}

/** The exposition text of a registry. */
interface Exposition {
  /** Forgets the text of a family, because one of its values changed. */
  readonly change: (family: string) => void
  readonly text: () => Promise<string>
}

/**
 * Keeps the text of the families that did not change since the last scrape: most series of a node stay as they
 * were, and prom-client takes about 4 µs to render one.
 *
 * @param kept - names of the families for which the caller calls `change` at each new value; the exposition renders
 *   every other family at each scrape
 */
const exposition = (registry: MetricsRegistry, kept: ReadonlySet<string>): Exposition => {
  const texts = new Map<string, Promise<string>>()
  const textOf = (family: string): Promise<string> => {
    const text = texts.get(family) ?? registry.getSingleMetricAsString(family)
    if (kept.has(family)) texts.set(family, text)
    return text
  }
  return {
    change: family => void texts.delete(family),
    text: async () => {
      const families = await Promise.all(registry.getMetricsAsArray().map(({ name }) => textOf(name)))
      return `${families.join('\n\n')}\n`
    },
  }
}
