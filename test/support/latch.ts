/** A promise with the function that resolves it. */
export const makeLatch = () => {
  let open: () => void = () => undefined
  const opened = new Promise<void>(resolve => {
    open = resolve
  })
  return { open, opened }
}
