import autocannon from 'autocannon'
import { median } from './figure.js'

/** What is asked again and again. */
export interface RateTarget {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  /** The status that every answer must have. */
  readonly status: 200 | 304
}

const connections = 8

/** Requests per second of one target over `seconds`; throws when any answer was not the one expected. */
const rate = async (target: RateTarget, seconds: number): Promise<number> => {
  const result = await autocannon({
    url: target.url,
    headers: { ...target.headers },
    connections,
    duration: seconds,
  })
  const expected = target.status === 200 ? result['2xx'] : result['3xx']
  const others =
    result.errors +
    result.timeouts +
    (result['2xx'] + result['3xx'] + result['4xx'] + result['5xx'] - expected)
  if (others > 0 || expected === 0)
    throw new Error(`${target.url}: ${others} answers were not ${target.status}`)
  return result.requests.total / result.duration
}

export interface Rates {
  /** Medians, requests per second. */
  readonly left: number
  readonly right: number
  /** The ratio left/right of each pair of turns. */
  readonly ratios: ReadonlyArray<number>
}

/** Measures two targets in turns, so that whatever else the machine does meets both. One short round warms both up. */
export const compareRates = async (
  left: RateTarget,
  right: RateTarget,
  rounds: number,
  seconds: number,
): Promise<Rates> => {
  await rate(left, 1)
  await rate(right, 1)
  const pairs: Array<readonly [number, number]> = []
  for (let round = 0; round < rounds; round += 1) {
    const first = round % 2 === 0
    const one = await rate(first ? left : right, seconds)
    const other = await rate(first ? right : left, seconds)
    pairs.push(first ? [one, other] : [other, one])
  }
  return {
    left: median(pairs.map(pair => pair[0])),
    right: median(pairs.map(pair => pair[1])),
    ratios: pairs.map(([one, other]) => one / other),
  }
}
