/** A network in which nothing moves by itself: the test says which request or answer goes on next. */

export type Answer = { status: number; body: unknown };

type Trip = {
  /** `there`: on its way to the server. `back`: on its way to the browser. */
  leg: 'there' | 'back';
  request: { method: string; path: string; body: unknown };
  answer?: Answer;
  arrive: (answer: Answer) => void;
  lose: () => void;
};

export class Network {
  readonly trips: Trip[] = [];
  private readonly server: (request: Trip['request']) => Answer;

  constructor(server: (request: Trip['request']) => Answer) {
    this.server = server;
  }

  /** In the place of `fetch`. */
  readonly fetch = (address: string | URL | Request, init: RequestInit = {}): Promise<Response> =>
    new Promise((resolve, reject) => {
      const body: unknown = typeof init.body === 'string' ? JSON.parse(init.body) : undefined;
      const trip: Trip = {
        leg: 'there',
        request: { method: init.method ?? 'GET', path: String(address), body },
        arrive: ({ status, body: answer }) => resolve(new Response(JSON.stringify(answer), { status })),
        lose: () => reject(new TypeError('Failed to fetch')),
      };
      this.trips.push(trip);
      // The browser stops listening; what left already may still arrive at the server.
      init.signal?.addEventListener('abort', () => reject(init.signal?.reason));
    });

  /** One request reaches the server, or one answer the browser; `lost`: it never does. */
  move(index: number, lost: boolean): void {
    const trip = this.trips[index];
    if (!trip) return;
    if (lost) {
      this.trips.splice(index, 1);
      trip.lose();
      return;
    }
    if (trip.leg === 'there') {
      trip.answer = this.server(trip.request);
      trip.leg = 'back';
      return;
    }
    this.trips.splice(index, 1);
    if (trip.answer) trip.arrive(trip.answer);
  }
}
