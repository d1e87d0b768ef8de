/** What a command leaves for `main`. */

/** Exit statuses: done; nothing found, or refused; error; a gate or verification failed. */
export const DONE = 0;
export const NOTHING = 1;
export const ERROR = 2;
export const GATE = 3;

export type Session = {
  status: number;
  /** Takes away what shows progress, and says what a run that is interrupted leaves behind. */
  interrupted?: () => void;
};
