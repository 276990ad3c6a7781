import { memoryMb } from './daemon.js'

/** Arguments of node that have the daemon collect its garbage at a signal; nothing of the program changes. */
export const collectsAtSignal: ReadonlyArray<string> = [
  '--expose-gc',
  "--import=data:text/javascript,process.on('SIGUSR2',()=>{gc();gc()})",
]

const pause = (ms: number): Promise<void> => new Promise(resolve => setTimeout(resolve, ms))

/**
 * Returns the resident memory, in MiB, of a daemon that was started with `collectsAtSignal`, after full collections. It
 * collects three times, because V8 returns freed pages to the system later.
 */
export const memoryBehindCollectionMb = async (pid: number): Promise<number> => {
  for (let at = 0; at < 3; at += 1) {
    process.kill(pid, 'SIGUSR2')
    await pause(1_000)
  }
  return (await memoryMb(pid, 'VmRSS')) ?? Number.NaN
}
