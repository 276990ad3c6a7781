import { progress } from '@clack/prompts'

/** Shows the progress of long work. Silent without a terminal. */
export interface ProgressBar {
  readonly at: (done: number, total: number) => void
  readonly done: (text: string) => void
}

const silent: ProgressBar = { at: () => undefined, done: () => undefined }

/** A progress bar on a terminal's stderr; stdout is for results. */
export const progressBar = (title: string, stream: NodeJS.WriteStream): ProgressBar => {
  if (!stream.isTTY) return silent
  const bar = progress({ max: 100, output: stream })
  let shown = 0
  bar.start(title)
  return {
    at: (done, total) => {
      const share = Math.floor((100 * done) / Math.max(total, 1))
      if (share === shown) return
      bar.advance(share - shown, `${title} ${done}/${total}`)
      shown = share
    },
    done: text => bar.stop(text),
  }
}
