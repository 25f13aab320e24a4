<?php
/**
 * Calls from the hub to here, each signed with a key that both have, as the hub's webhooks are. None brings a key: the plugin fetches
 * those itself.
 *
 * @package CreatorHq
 */

namespace CreatorHq;

use CreatorHq\Forms\Store;
use CreatorHq\Gate\Probe;
use CreatorHq\Gate\Told;

final class HubCalls {

	const MOST_SECONDS_APART = 300;

	public static function routes() {
		register_rest_route(
			Rest::SPACE,
			'/hub',
			array(
				'methods'             => 'POST',
				'callback'            => array( self::class, 'answer' ),
				'permission_callback' => array( self::class, 'the_hub' ),
			)
		);
	}

	/** `answer` looks at the signature before anything else: the hub has to learn why it is refused. */
	public static function the_hub(): bool {
		return true;
	}

	public static function answer( \WP_REST_Request $request ) {
		$refused = self::refusal_of( (string) $request->get_header( 'creator-hq-signature' ), (string) $request->get_body() );
		$told    = '' === $refused ? (array) $request->get_json_params() : array();
		$body    = array(
			'plugin' => 'creator-hq',
			'time'   => time(),
		);
		if ( '' !== $refused ) {
			$body['refused'] = $refused;
		} elseif ( 'members' === ( $told['what'] ?? '' ) ) {
			Told::keep( $told['members'] ?? null );
			if ( ! empty( $told['isKeyNew'] ) ) {
				Connection::register();
			}
		} elseif ( 'sample' === ( $told['what'] ?? '' ) ) {
			$body += Probe::sample();
		}
		$response = new \WP_REST_Response( $body, '' === $refused ? 200 : 403 );
		$response->header( 'Cache-Control', 'private, no-store' );
		return $response;
	}

	/** Why it is refused; '' when it is not. */
	private static function refusal_of( string $signature, string $body ): string {
		if ( ! preg_match( '/^t=(\d{1,12})((?:,v1=[0-9a-f]{64}){1,4})$/', $signature, $parts ) ) {
			return 'key';
		}
		foreach ( explode( ',v1=', substr( $parts[2], 4 ) ) as $mac ) {
			foreach ( Store::signing_keys() as $key ) {
				if ( hash_equals( hash_hmac( 'sha256', $parts[1] . '.' . $body, $key ), $mac ) ) {
					return abs( time() - (int) $parts[1] ) > self::MOST_SECONDS_APART ? 'clock' : '';
				}
			}
		}
		return 'key';
	}
}
