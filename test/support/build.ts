import { spawnSync } from 'node:child_process'
import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { jsonFiles, root, sources } from '#test/tidy/sources.js'

const changedMs = (path: string): number => statSync(join(root, path)).mtimeMs

/** Whether `dist` was built after the last change of what it is built from. */
const isBuilt = (): boolean => {
  const build = 'dist/build-id'
  if (!existsSync(join(root, build))) return false
  const builtMs = changedMs(build)
  const inputs = [...sources.map(({ path }) => path), ...jsonFiles].filter(path => !path.startsWith('test/'))
  return inputs.every(path => changedMs(path) < builtMs)
}

/** Builds the program where a source is newer than the build; throws where the build fails, having printed why. */
export const buildProgram = (): void => {
  if (isBuilt()) return
  const { status } = spawnSync('npm', ['run', '-s', 'build'], { cwd: root, stdio: 'inherit' })
  if (status !== 0) throw new Error('npm run build failed')
}
