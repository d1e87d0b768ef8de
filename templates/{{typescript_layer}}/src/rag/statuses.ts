/** What the status of an answer says: the same request may pass later, or it never will. */

/** Statuses after which the same request may succeed. */
const PASSING: ReadonlySet<number> = new Set([408, 425, 429, 500, 502, 503, 504, 529]);

/** Codes of a 429 that no waiting mends. */
const SPENT = ["insufficient_quota", "billing_hard_limit_reached", "billing_not_active"];

const ADVICE: Readonly<Record<number, string>> = {
  401: "Check the API key, and what it is allowed to do.",
  403: "Check the API key, and what it is allowed to do.",
  404: "Check the address, and the name of the model.",
};
const SPENT_ADVICE = "The quota is used up: add credit, then run it again.";
const REFUSED = "The provider refuses this request, and would refuse it again.";

/** What a server answered; the cause of the error raised for it. */
export class StatusError extends Error {
  readonly status: number;
  readonly body: string;

  constructor(status: number, body: string) {
    super(`HTTP ${status}`);
    this.status = status;
    this.body = body;
  }
}

export function mayPass({ status, body }: StatusError): boolean {
  return PASSING.has(status) && !isSpent(status, body);
}

/** What to do about an answer that does not pass. */
export function adviceOn({ status, body }: StatusError): string {
  return isSpent(status, body) ? SPENT_ADVICE : (ADVICE[status] ?? REFUSED);
}

function isSpent(status: number, body: string): boolean {
  return status === 402 || SPENT.some((code) => body.includes(code));
}
