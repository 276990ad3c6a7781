import { InvalidArgumentError } from 'commander'
import { tokenLifetimeSecondsMax } from '#protocol/identity/token-limits.js'
import { type LogLevel, logLevels } from './options.js'

const wholeWithin =
  (least: number, most: number) =>
  (text: string): number => {
    const value = Number(text)
    if (/^\d+$/.test(text) && value >= least && value <= most) return value
    throw new InvalidArgumentError(`a whole number from ${least} to ${most} is wanted.`)
  }

/** How large an invented world is. */
export const scale = (text: string): number => {
  const value = Number(text)
  if (/^\d+(\.\d+)?$/.test(text) && value > 0 && value <= 100) return value
  throw new InvalidArgumentError('a number above 0 and at most 100 is wanted.')
}

/** A name of a host in the fleet. */
export const town = (text: string): string => {
  if (/^[\p{L}\p{N}][\p{L}\p{N} ._-]{0,63}$/u.test(text)) return text
  throw new InvalidArgumentError('letters, digits, blanks, dots, dashes; at most 64.')
}

export const logLevel = (text: string): LogLevel => {
  const level = logLevels.find(one => one === text)
  if (level !== undefined) return level
  throw new InvalidArgumentError(`one of ${logLevels.join(', ')} is wanted.`)
}

export const port = wholeWithin(0, 65_535)

const unitSeconds = { s: 1, m: 60, h: 3600, d: 86_400 } as const

/** A stretch of time, such as 90m, in seconds. */
export const lifetime = (text: string): number => {
  const [, count = '', unit = ''] = /^(\d{1,9})([smhd])$/.exec(text) ?? []
  const seconds = unit in unitSeconds ? Number(count) * Reflect.get(unitSeconds, unit) : 0
  if (seconds >= 1 && seconds <= tokenLifetimeSecondsMax) return seconds
  throw new InvalidArgumentError(
    'a whole number with s, m, h or d is wanted, such as 12h; ten years at most.',
  )
}
