import type { AlertQuery, QueryTime, SeriesName } from './alerts.js'

/** A duration as Prometheus writes it, in the largest unit that has it whole. */
export const renderDuration = (seconds: number): string => {
  const ms = Math.round(seconds * 1_000)
  if (ms % 60_000 === 0 && ms > 0) return `${ms / 60_000}m`
  return ms % 1_000 === 0 ? `${ms / 1_000}s` : `${ms}ms`
}

const renderPart = (part: SeriesName | QueryTime, divisor: number): string => {
  if (typeof part === 'string') return part
  return 'windowSeconds' in part
    ? `[${renderDuration(part.windowSeconds / divisor)}]`
    : String(part.thresholdSeconds / divisor)
}

/** The query in one line of PromQL. Each time in it is divided by `timeDivisor`. */
export const renderQuery = ({ texts, parts }: AlertQuery, timeDivisor = 1): string =>
  texts
    .map((text, at) => {
      const part = parts[at]
      return part === undefined ? text : text + renderPart(part, timeDivisor)
    })
    .join('')
    .replaceAll(/\s+/g, ' ')
