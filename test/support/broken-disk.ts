import { type Disk, realDisk } from '#src/adapters/landing/disk.js'

/** The real disk, failing from its n-th call on, or only at that call; counted from 0. */
export interface BrokenDisk {
  readonly disk: Disk
  /** Calls so far, by name. */
  readonly calls: ReadonlyArray<string>
}

export class Crash extends Error {}

const codeError = (code: string): Error => Object.assign(new Error(`${code}: injected`), { code })

type Calls = { readonly [K in keyof Disk]: (...args: Parameters<Disk[K]>) => Promise<void> }

const wrapDisk = (before: (name: keyof Disk) => void): Disk => {
  const calls: Calls = {
    write: (...args) => (before('write'), realDisk.write(...args)),
    rename: (...args) => (before('rename'), realDisk.rename(...args)),
    link: (...args) => (before('link'), realDisk.link(...args)),
    symlink: (...args) => (before('symlink'), realDisk.symlink(...args)),
    remove: (...args) => (before('remove'), realDisk.remove(...args)),
    makeFolder: (...args) => (before('makeFolder'), realDisk.makeFolder(...args)),
    syncFolder: (...args) => (before('syncFolder'), realDisk.syncFolder(...args)),
  }
  return calls
}

/**
 * The disk of a process that dies at its n-th call: nothing after it reaches the disk, including clean-up.
 */
export const makeCrashingDisk = (at: number): BrokenDisk => {
  const calls: Array<string> = []
  const disk = wrapDisk(name => {
    calls.push(name)
    if (calls.length > at) throw new Crash(`the process ended before ${name}`)
  })
  return { disk, calls }
}

/**
 * A disk that refuses one call with an error code and accepts all others; only calls that need space count.
 */
export const makeRefusingDisk = (at: number, code: string): BrokenDisk => {
  const calls: Array<string> = []
  const disk = wrapDisk(name => {
    if (name === 'remove') return
    calls.push(name)
    if (calls.length === at + 1) throw codeError(code)
  })
  return { disk, calls }
}

/**
 * A disk that works until it is armed: then it refuses from its n-th call that needs space on, or only at
 * that call.
 */
export interface ArmedDisk {
  readonly disk: Disk
  /** The calls since it was last armed or healed, by name; removals do not count. */
  readonly calls: () => ReadonlyArray<string>
  readonly arm: (at: number, code: string, lasts: boolean) => void
  readonly heal: () => void
}

export const makeArmedDisk = (): ArmedDisk => {
  let calls: ReadonlyArray<string> = []
  let armed: { readonly at: number; readonly code: string; readonly lasts: boolean } | null = null
  const disk = wrapDisk(name => {
    if (name === 'remove') return
    const at = calls.length
    calls = [...calls, name]
    if (armed !== null && (armed.lasts ? at >= armed.at : at === armed.at)) throw codeError(armed.code)
  })
  const set = (next: typeof armed): void => {
    calls = []
    armed = next
  }
  return {
    disk,
    calls: () => calls,
    arm: (at, code, lasts) => set({ at, code, lasts }),
    heal: () => set(null),
  }
}
