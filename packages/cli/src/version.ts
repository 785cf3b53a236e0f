/** Owns the version of this program, which is that of the repository. */
import manifest from '../../../package.json' with { type: 'json' }

export const version: string = manifest.version
