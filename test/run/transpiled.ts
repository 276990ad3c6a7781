/**
 * The folder of a run with the transpiled sources, from the root of the project; named as `run-folder.ts` names
 * the folders of runs.
 */
export const outputFolderOf = (pid: number): string => `var/kronika-run-${pid}-transpiled`

/** The source of a transpiled file; another file is returned as it is. */
export const sourceOf = (file: string): string =>
  file.replace(/\/var\/kronika-run-\d{1,10}-transpiled(\/.*)\.js$/, (_, path: string) => `${path}.ts`)
