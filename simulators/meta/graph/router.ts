import { accountRoutes } from '../accounts/routes.ts';
import { commentRoutes } from '../comments/routes.ts';
import type { LoginFlavour } from '../control/types.ts';
import { mediaRoutes } from '../media/routes.ts';
import { conversationRoutes } from '../messages/conversation-routes.ts';
import { messengerProfileRoutes } from '../messages/messenger-profile.ts';
import { sendRoute } from '../messages/send.ts';
import { subscriptionRoutes } from '../subscriptions/routes.ts';
import { tokenRoutes } from '../tokens/routes.ts';
import type { Route, Routes } from './call.ts';
import type { MetaPlatform } from './platform.ts';

/** Finds the route of a Graph call: two map look-ups. */
export class GraphRouter {
  readonly #routes: Map<string, Routes[string]>;

  constructor(platform: MetaPlatform) {
    const rooms: Routes[] = [
      { 'POST */messages': sendRoute(platform) },
      tokenRoutes(platform),
      accountRoutes(platform),
      mediaRoutes(platform),
      commentRoutes(platform),
      conversationRoutes(platform),
      messengerProfileRoutes(platform),
      subscriptionRoutes(platform),
    ];
    this.#routes = new Map();
    for (const room of rooms) {
      for (const [pattern, route] of Object.entries(room)) {
        const earlier = this.#routes.get(pattern);
        // Plain nodes are of many kinds: each room knows its own, the first that recognises the id wins.
        if (earlier && typeof earlier === 'function' && typeof route === 'function') {
          this.#routes.set(pattern, (flavour, node) => earlier(flavour, node) ?? route(flavour, node));
        } else if (earlier) throw new Error(`Two routes for ${pattern}`);
        else this.#routes.set(pattern, route);
      }
    }
  }

  find(flavour: LoginFlavour, method: string, node: string, edge: string): Route | undefined {
    const found = this.#routes.get(`${method} ${node}/${edge}`) ?? this.#routes.get(`${method} */${edge}`);
    return typeof found === 'function' ? found(flavour, node) : found;
  }
}
