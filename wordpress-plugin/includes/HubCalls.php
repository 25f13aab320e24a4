<?php
/**
 * Calls from the hub to here, each signed with a key that both have, as the hub's webhooks are. None brings a key: the plugin fetches
 * those itself.
 *
 * @package CreatorHq
 */

namespace CreatorHq;

use CreatorHq\Forms\Store;
use CreatorHq\Gate\Gate;
use CreatorHq\Gate\HubLocks;
use CreatorHq\Gate\Probe;
use CreatorHq\Gate\Told;

final class HubCalls {

	const MOST_SECONDS_APART = 300;
	/** In the address of a call to the blog itself: where another plugin keeps /wp-json shut. */
	const PARAMETER = 'creator-hq-hub';

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
		list( $status, $body ) = self::reply( (string) $request->get_header( 'creator-hq-signature' ), (string) $request->get_body() );
		$response              = new \WP_REST_Response( $body, $status );
		$response->header( 'Cache-Control', 'private, no-store' );
		return $response;
	}

	public static function without_rest() {
		// phpcs:ignore WordPress.Security.NonceVerification -- The call is signed.
		if ( 'POST' === ( $_SERVER['REQUEST_METHOD'] ?? '' ) && isset( $_GET[ self::PARAMETER ] ) ) {
			list( $status, $body ) = self::reply( (string) wp_unslash( $_SERVER['HTTP_CREATOR_HQ_SIGNATURE'] ?? '' ), (string) file_get_contents( 'php://input' ) );
			header( 'Cache-Control: private, no-store' );
			wp_send_json( $body, $status );
		}
	}

	/** @return array{0: int, 1: array} Status and answer. */
	private static function reply( string $signature, string $call ): array {
		$refused = self::refusal_of( $signature, $call );
		$told    = '' === $refused ? (array) json_decode( $call, true ) : array();
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
		} elseif ( 'locks' === ( $told['what'] ?? '' ) ) {
			$body += HubLocks::told( (string) ( $told['search'] ?? '' ) );
		} elseif ( 'lock' === ( $told['what'] ?? '' ) ) {
			$body['question'] = HubLocks::change( $told );
			$body['posts']    = Gate::count();
		}
		return array( '' === $refused ? 200 : 403, $body );
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
