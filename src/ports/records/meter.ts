import type { MetricName, metrics } from '#protocol/metric.js'

/** The values of a label: those that the table names, or any text where it names none. */
type ValueOf<K extends MetricName, L extends string> = (typeof metrics)[K] extends {
  readonly values: Readonly<Record<L, ReadonlyArray<infer V extends string>>>
}
  ? V
  : string
type LabelsOf<K extends MetricName> = {
  readonly [L in (typeof metrics)[K]['labels'][number]]: ValueOf<K, L>
}
type Named<Kind> = { [K in MetricName]: (typeof metrics)[K]['kind'] extends Kind ? K : never }[MetricName]

/**
 * Where everything is counted. Names and labels come from `protocol/metric.ts`; a wrong label, or a
 * value outside of its closed set, does not compile.
 */
export interface Meter {
  readonly count: <K extends Named<'counter'>>(name: K, labels: LabelsOf<K>, by?: number) => void
  readonly gauge: <K extends Named<'gauge'>>(name: K, labels: LabelsOf<K>, value: number) => void
  readonly observe: <K extends Named<'histogram'>>(name: K, labels: LabelsOf<K>, value: number) => void
  /** Removes one series, such as that of a town that left the fleet. It begins at 0 where it is counted again. */
  readonly remove: <K extends MetricName>(name: K, labels: LabelsOf<K>) => void
}
