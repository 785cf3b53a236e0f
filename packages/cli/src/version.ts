/** Owns the version of this program. */
import manifest from '../package.json' with { type: 'json' }

export const version: string = manifest.version
