import type { SourceTask } from '@countersign/reference-week/weeks'

/** Beside the keys of the installation: the name of the part that is lived there. */
export const weekFile = 'week'
/** In the same place: which message is worked on. */
export const messageFile = 'message'

/** Of what is said as the so manieth in a task; what nobody says is none. */
export const messageName = ({ id }: SourceTask, said: number): string => `${id} ${said}`
