/** Whether a quality of 0 refuses the range. */
const isRefusedRange = (parameters: ReadonlyArray<string>): boolean =>
  parameters.some(parameter => {
    const [name = '', value = ''] = parameter.split('=')
    return name.trim().toLowerCase() === 'q' && Number(value) === 0
  })

/** Whether an `Accept` header names the media type itself; a range such as any type or `text/*` does not. */
export const namesMedia = (accept: string | undefined, media: string): boolean =>
  (accept ?? '').split(',').some(range => {
    const [type = '', ...parameters] = range.split(';')
    return type.trim().toLowerCase() === media && !isRefusedRange(parameters)
  })
