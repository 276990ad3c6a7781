import type { MetricName, metrics } from '../metric.js'

type SeriesOf<K extends MetricName> = (typeof metrics)[K]['kind'] extends 'histogram'
  ? `${K}_bucket` | `${K}_count` | `${K}_sum`
  : K

/** The name of a series: that of a metric, with a suffix where the metric is a histogram. */
export type SeriesName = { readonly [K in MetricName]: SeriesOf<K> }[MetricName]

/** A time in a query: a threshold is a number of seconds, a window a range such as `[30m]`. */
export type QueryTime = { readonly thresholdSeconds: number } | { readonly windowSeconds: number }

/** A PromQL expression: its texts, and between each two of them a series or a time. */
export interface AlertQuery {
  readonly texts: ReadonlyArray<string>
  readonly parts: ReadonlyArray<SeriesName | QueryTime>
}

/** A template tag. The series are names of the table of metrics, so that a wrong name does not compile. */
export const alertQuery = (
  texts: TemplateStringsArray,
  ...parts: ReadonlyArray<SeriesName | QueryTime>
): AlertQuery => ({ texts: [...texts], parts })

export const threshold = (thresholdSeconds: number): QueryTime => ({ thresholdSeconds })

export const queryWindow = (windowSeconds: number): QueryTime => ({ windowSeconds })

/** A rule that Prometheus evaluates over the metrics of a host or a fleet, and its entry in the runbook. */
export interface Alert {
  /** `critical`: players or the fleet are affected now. `warning`: a person must look within a day. */
  readonly severity: 'critical' | 'warning'
  /** The alert is pending for each series that the query returns. */
  readonly query: AlertQuery
  /** How long a series must be returned before the alert fires, in seconds. */
  readonly holdSeconds: number
  /** What is the case while the alert fires. `{{ $labels.NAME }}` is a label of the series. */
  readonly summary: string
  /** What the alert means for players and operators. Markdown; a link is relative to `docs/runbook/`. */
  readonly means: string
  /** Where to look, in order. Markdown. */
  readonly look: ReadonlyArray<string>
  /** What to do. Markdown. */
  readonly act: ReadonlyArray<string>
}

/** Alerts by name. */
export type AlertTable = Readonly<Record<string, Alert>>
