<?php
/**
 * Calls to Creator HQ, always from here to there.
 *
 * @package CreatorHq
 */

namespace CreatorHq;

final class Hub {

	const TIMEOUT_SECONDS = 4;
	/** Nobody waits for cron: a busy hub that takes fifty submissions at once may need longer. */
	const CRON_TIMEOUT_SECONDS = 20;
	/** After a failure nobody waits for the hub for this long: submissions go to the outbox at once. */
	const REST_SECONDS = 30;
	const REFUSALS     = array( 400, 409, 413, 422 );

	/**
	 * Calls an endpoint.
	 *
	 * @param int $seconds How long somebody waits for it.
	 * @return array{trouble: string, status: int, body: array} `trouble` is '' when it answered as agreed; 'not_connected',
	 *         'unreachable', 'busy' and 'key' (401, 403) pass, 'refused' (the call itself is wrong) does not.
	 */
	public static function call( string $method, string $path, ?array $body = null, int $seconds = self::TIMEOUT_SECONDS ): array {
		if ( ! Settings::is_connected() || ! Settings::is_acceptable_hub( Settings::hub() ) ) {
			return self::answer( 'not_connected' );
		}
		$answer = self::ask( Settings::hub(), $method, $path, $body, array( 'Authorization' => 'Bearer ' . Settings::key() ), $seconds );
		self::remember( $answer['trouble'] );
		return $answer;
	}

	/** The key of a hub where somebody just said yes; answers as `call`. */
	public static function fetch_key( string $hub, string $code, string $verifier ): array {
		return self::ask( $hub, 'POST', '/plugin/connect', compact( 'code', 'verifier' ) );
	}

	/** Whether it is worth waiting for now. */
	public static function is_worth_asking(): bool {
		return Settings::is_connected() && (int) State::get( 'ask_after', 0 ) <= time();
	}

	private static function ask( string $hub, string $method, string $path, ?array $body, array $headers = array(), int $seconds = self::TIMEOUT_SECONDS ): array {
		$arguments = array(
			'method'      => $method,
			'timeout'     => wp_doing_cron() ? self::CRON_TIMEOUT_SECONDS : $seconds,
			'redirection' => 0,
			'user-agent'  => 'Creator HQ plugin/' . CREATOR_HQ_VERSION,
			'headers'     => $headers + array( 'Accept' => 'application/json' ),
		);
		if ( null !== $body ) {
			$arguments['headers']['Content-Type'] = 'application/json';
			$arguments['body']                    = wp_json_encode( $body );
		}
		return self::understand( wp_remote_request( $hub . '/api/v1' . $path, $arguments ) );
	}

	private static function understand( $response ): array {
		if ( is_wp_error( $response ) ) {
			return self::answer( 'unreachable' );
		}
		$status = (int) wp_remote_retrieve_response_code( $response );
		$body   = json_decode( wp_remote_retrieve_body( $response ), true );
		if ( 401 === $status || 403 === $status ) {
			return self::answer( 'key', $status );
		}
		if ( in_array( $status, self::REFUSALS, true ) ) {
			return self::answer( 'refused', $status, is_array( $body ) ? $body : array() );
		}
		// Also 404: an older Creator HQ, or another server at its address for a while.
		if ( $status >= 400 ) {
			return self::answer( 'busy', $status );
		}
		// A redirect or somebody else's page: not our hub.
		if ( $status < 200 || $status >= 300 || ! is_array( $body ) ) {
			return self::answer( 'unreachable', $status );
		}
		return self::answer( '', $status, $body );
	}

	private static function answer( string $trouble, int $status = 0, array $body = array() ): array {
		return compact( 'trouble', 'status', 'body' );
	}

	/** Written when something changed, or once a minute. */
	private static function remember( string $trouble ) {
		$now = time();
		if ( '' === $trouble || 'refused' === $trouble ) {
			if ( '' !== (string) State::get( 'trouble', '' ) || $now - (int) State::get( 'heard_at', 0 ) >= MINUTE_IN_SECONDS ) {
				if ( '' !== (string) State::get( 'trouble', '' ) ) {
					State::note( __( 'Creator HQ answers again.', 'creator-hq' ) );
				}
				State::set(
					array(
						'heard_at'   => $now,
						'trouble'    => '',
						'away_since' => 0,
						'ask_after'  => 0,
					)
				);
			}
			return;
		}
		if ( State::get( 'trouble', '' ) !== $trouble ) {
			State::note( 'key' === $trouble ? __( 'Creator HQ refused the API key.', 'creator-hq' ) : __( 'Creator HQ did not answer.', 'creator-hq' ) );
		}
		State::set(
			array(
				'trouble'    => $trouble,
				'away_since' => (int) State::get( 'away_since', 0 ) ? (int) State::get( 'away_since' ) : $now,
				'ask_after'  => $now + self::REST_SECONDS,
			)
		);
	}
}
