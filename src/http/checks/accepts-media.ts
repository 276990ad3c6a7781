/** Whether the parameters of a media range reject it: a quality of 0. */
const isRefusedRange = (parameters: ReadonlyArray<string>): boolean =>
  parameters.some(parameter => {
    const [name = '', value = ''] = parameter.split('=')
    return name.trim().toLowerCase() === 'q' && Number(value) === 0
  })

/** Whether an `Accept` header names the media type literally; a range with a wildcard does not count. */
export const namesMedia = (accept: string | undefined, media: string): boolean =>
  (accept ?? '').split(',').some(range => {
    const [type = '', ...parameters] = range.split(';')
    return type.trim().toLowerCase() === media && !isRefusedRange(parameters)
  })
