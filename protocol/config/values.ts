import * as t from 'io-ts'

const within = (name: string, least: number, most: number, whole: boolean): t.Type<number, number, unknown> =>
  new t.Type<number, number, unknown>(
    name,
    (u): u is number => typeof u === 'number' && u >= least && u <= most && (!whole || Number.isInteger(u)),
    (u, context) =>
      typeof u === 'number' && u >= least && u <= most && (!whole || Number.isInteger(u))
        ? t.success(u)
        : t.failure(u, context, `${name} wanted`),
    t.identity,
  )

export const Whole = within('a whole number from 0', 0, Number.MAX_SAFE_INTEGER, true)
/** A TCP port; 0 lets the system choose. */
export const Port = within('a port from 0 to 65535', 0, 65_535, true)
export const Share = within('a number from 0 to 1', 0, 1, false)
/** The time between two repetitions, in the unit of its key. */
export const Period = within('a number from 0.01', 0.01, Number.MAX_SAFE_INTEGER, false)
/** As `Period`, and 0 for never. */
export const OptionalPeriod = t.union([Period, t.literal(0)], 'a number from 0.01, or 0')
export const Amount = within('a number from 0', 0, Number.MAX_SAFE_INTEGER, false)
export const Texts = t.readonlyArray(t.string, 'a list of texts')

const address = /^(\d{1,3}(\.\d{1,3}){3}|[0-9a-f.]*:[0-9a-f:.]*)(\/\d{1,3})?$/i

/** Addresses of hosts, IPv4 or IPv6, or subnets such as `10.0.0.0/8`. */
export const Addresses = t.refinement(
  Texts,
  all => all.every(one => address.test(one)),
  'a list of IP addresses or subnets',
)

const isZone = (text: string): boolean => {
  try {
    new Intl.DateTimeFormat('en', { timeZone: text })
    return true
  } catch {
    return false
  }
}

/** An IANA time zone that this build of Node knows. */
export const TimeZone = new t.Type<string, string, unknown>(
  'an IANA time zone',
  (u): u is string => typeof u === 'string' && isZone(u),
  (u, context) => (typeof u === 'string' && isZone(u) ? t.success(u) : t.failure(u, context)),
  t.identity,
)

const isChannel = (text: string): boolean => {
  const parts = text.split('/')
  return parts.length === 2 && parts.every(part => part.trim() !== '') && !text.includes('\n')
}

/** A channel of the chat as `category/channel`, or an empty text. */
export const ChannelText = t.refinement(
  t.string,
  text => text === '' || isChannel(text),
  'category/channel or an empty text',
)
