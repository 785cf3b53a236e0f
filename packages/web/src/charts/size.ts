/** The height of a chart with axes. */
export const height = 200
