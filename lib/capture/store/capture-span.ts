/** What a capture held. */
export interface CaptureSpan {
  captureId: string;
  name: string;
  /** Wall time of its first and last event, ms. */
  startedAt: number;
  endedAt?: number;
  eventCount: number;
  sizeBytes: number;
}
