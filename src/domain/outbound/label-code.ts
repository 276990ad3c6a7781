const labelled: ReadonlySet<number> = new Set([
  200, 201, 202, 204, 301, 302, 303, 304, 307, 308, 400, 401, 403, 404, 405, 406, 409, 410, 412, 413, 415,
  422, 429, 500, 502, 503, 504,
])

/**
 * The label of a status: itself where it is a common one, else its class, such as `4xx`. A server may answer any number
 * of three digits.
 */
export const labelCode = (status: number): string => {
  if (labelled.has(status)) return String(status)
  const first = Math.floor(status / 100)
  return first >= 1 && first <= 5 ? `${first}xx` : 'other'
}
