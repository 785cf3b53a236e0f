/** Beside the keys of the installation: the name of the part that is lived there. */
export const weekFile = 'week'
