<?php
/**
 * Submissions that wait for the hub. Each has its attempt, so that one which arrives twice counts once.
 *
 * @package CreatorHq
 */

namespace CreatorHq;

use CreatorHq\Forms\Network;

final class Outbox {

	const MAX_ROWS       = 5000;
	const KEPT_SECONDS   = 72 * HOUR_IN_SECONDS;
	const AT_ONCE        = 50;
	/** A sender that died gives its rows free after this. */
	const CLAIM_SECONDS = 60;
	/** No run of cron takes longer than WordPress allows it to. */
	const RUN_SECONDS = 40;

	/** @return bool False when it is full. */
	public static function add( array $submission ): bool {
		global $wpdb;
		Tables::ensure();
		if ( self::count() >= self::MAX_ROWS ) {
			self::note_lost( 1 );
			return false;
		}
		// The same press again changes nothing.
		$wpdb->query(
			$wpdb->prepare(
				'INSERT IGNORE INTO %i (attempt, address, body, added_at) VALUES (%s, %s, %s, %d)',
				Tables::outbox(),
				$submission['attempt'],
				Network::hashed_address( $submission['email'] ),
				wp_json_encode( $submission ),
				time()
			)
		);
		if ( ! wp_next_scheduled( Plugin::CRON_OUTBOX ) ) {
			wp_schedule_event( time() + MINUTE_IN_SECONDS, 'creator_hq_minute', Plugin::CRON_OUTBOX );
		}
		return true;
	}

	public static function count(): int {
		global $wpdb;
		return Tables::are_there() ? (int) $wpdb->get_var( $wpdb->prepare( 'SELECT COUNT(*) FROM %i', Tables::outbox() ) ) : 0;
	}

	/** Sends what waits, oldest first, 50 in a call; stops at the first trouble. By cron and after a submission. */
	public static function send() {
		if ( doing_action( Plugin::CRON_OUTBOX ) ) {
			State::set( array( 'cron_ran_at' => time() ) );
		}
		if ( ! Tables::are_there() ) {
			return;
		}
		self::forget_old();
		$until = time() + self::RUN_SECONDS;
		while ( time() < $until && Hub::is_worth_asking() && self::send_some( self::AT_ONCE ) ) {
			continue;
		}
		if ( 0 === self::count() ) {
			wp_unschedule_hook( Plugin::CRON_OUTBOX );
		}
	}

	/** @return bool Whether to go on. */
	private static function send_some( int $at_once ): bool {
		$claim = md5( wp_generate_uuid4() );
		$rows  = self::claim( $claim, $at_once );
		if ( array() === $rows ) {
			return false;
		}
		$submissions = array();
		foreach ( $rows as $row ) {
			$submissions[] = json_decode( $row->body, true );
		}
		$answer = Hub::call( 'POST', '/plugin/submissions', array( 'submissions' => $submissions ) );
		if ( '' === $answer['trouble'] ) {
			$answered = array_column( (array) ( $answer['body']['results'] ?? array() ), 'attempt' );
			self::remove( array_intersect( array_column( $submissions, 'attempt' ), $answered ) );
			self::release( $claim );
			return array() !== $answered;
		}
		self::release( $claim );
		if ( 'refused' !== $answer['trouble'] ) {
			return false;
		}
		// The hub does not understand the call as a whole: one by one, so that one of them holds up nobody else.
		if ( count( $rows ) > 1 ) {
			for ( $left = count( $rows ); $left > 0; $left-- ) {
				if ( ! self::send_some( 1 ) ) {
					return false;
				}
			}
			return true;
		}
		self::remove( array( $rows[0]->attempt ) );
		self::note_lost( 1 );
		State::note( __( 'Creator HQ refused a submission.', 'creator-hq' ) );
		return true;
	}

	/** Takes rows for this sender alone. */
	private static function claim( string $claim, int $at_once ): array {
		global $wpdb;
		$table = Tables::outbox();
		$free  = time() - self::CLAIM_SECONDS;
		$ids   = $wpdb->get_col( $wpdb->prepare( 'SELECT id FROM %i WHERE claimed_at <= %d ORDER BY id LIMIT %d', $table, $free, $at_once ) );
		if ( array() === $ids ) {
			return array();
		}
		// Numbers of our own table; the second sender of two changes no row.
		$wpdb->query(
			$wpdb->prepare(
				'UPDATE %i SET claim = %s, claimed_at = %d WHERE claimed_at <= %d AND id IN (' . implode( ', ', array_fill( 0, count( $ids ), '%d' ) ) . ')',
				array_merge( array( $table, $claim, time(), $free ), $ids )
			)
		);
		return $wpdb->get_results( $wpdb->prepare( 'SELECT attempt, body FROM %i WHERE claim = %s ORDER BY id', $table, $claim ) );
	}

	private static function release( string $claim ) {
		global $wpdb;
		$wpdb->query( $wpdb->prepare( "UPDATE %i SET claim = '', claimed_at = 0 WHERE claim = %s", Tables::outbox(), $claim ) );
	}

	private static function remove( array $attempts ) {
		global $wpdb;
		foreach ( $attempts as $attempt ) {
			$wpdb->delete( Tables::outbox(), array( 'attempt' => $attempt ) );
		}
	}

	private static function forget_old() {
		global $wpdb;
		$gone = $wpdb->query( $wpdb->prepare( 'DELETE FROM %i WHERE added_at < %d', Tables::outbox(), time() - self::KEPT_SECONDS ) );
		if ( $gone ) {
			self::note_lost( (int) $gone );
		}
	}

	private static function note_lost( int $count ) {
		State::set( array( 'lost' => (int) State::get( 'lost', 0 ) + $count ) );
	}
}
