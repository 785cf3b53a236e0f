/** The way in, loaded only by a browser that is not in yet. */
export { createPasskeys } from '../../data/passkey.ts'
export { Insecure } from './insecure.tsx'
export { Pair } from './pair.tsx'
export { Unproven } from './unproven.tsx'
export { Unreachable } from './unreachable.tsx'
