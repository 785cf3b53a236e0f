/** Owns which layers the frame can put over a screen. */
export type Overlay = 'palette' | 'help' | 'more'
