<?php
/**
 * The addresses below /wp-json/creator-hq/v1.
 *
 * @package CreatorHq
 */

namespace CreatorHq;

use CreatorHq\Admin\Status;
use CreatorHq\Forms\Store;
use CreatorHq\Forms\Submission;

final class Rest {

	const SPACE = 'creator-hq/v1';

	public static function routes() {
		register_rest_route(
			self::SPACE,
			'/submit',
			array(
				'methods'             => 'POST',
				'callback'            => array( self::class, 'submit' ),
				'permission_callback' => array( self::class, 'anyone_with_a_stamp' ),
			)
		);
		register_rest_route(
			self::SPACE,
			'/forms',
			array(
				'methods'             => 'GET',
				'callback'            => array( self::class, 'forms' ),
				'permission_callback' => array( self::class, 'who_writes_posts' ),
			)
		);
		register_rest_route(
			self::SPACE,
			'/health',
			array(
				'methods'             => 'GET',
				'callback'            => array( self::class, 'health' ),
				'permission_callback' => array( self::class, 'who_manages_the_site' ),
			)
		);
	}

	/** Readers have no account; `Submission` checks the stamp before anything else. */
	public static function anyone_with_a_stamp(): bool {
		return true;
	}

	public static function who_writes_posts(): bool {
		return current_user_can( 'edit_posts' );
	}

	public static function who_manages_the_site(): bool {
		return current_user_can( 'manage_options' );
	}

	public static function submit( \WP_REST_Request $request ) {
		try {
			$fields = $request->get_json_params();
			$result = Submission::take( is_array( $fields ) ? $fields : array(), true );
		} catch ( \Throwable $error ) {
			Guard::log( $error );
			// The script then lets the browser send the form natively.
			return new \WP_Error( 'creator_hq_failed', __( 'Sorry, that did not work. Please try again later.', 'creator-hq' ), array( 'status' => 500 ) );
		}
		$body = array(
			'result'  => $result['result'],
			'code'    => $result['code'],
			'message' => $result['message'],
		);
		if ( $result['opens'] ) {
			$body['opens'] = true;
		}
		$response = new \WP_REST_Response( $body, $result['status'] );
		$response->header( 'Cache-Control', 'no-store' );
		return $response;
	}

	public static function forms(): array {
		return array_map(
			function ( $form ) {
				return array(
					'key'  => $form['key'],
					'kind' => $form['kind'],
					'name' => $form['name'],
				);
			},
			Store::forms()
		);
	}

	public static function health(): array {
		return array(
			'version' => CREATOR_HQ_VERSION,
			'waiting' => Outbox::count(),
			'lines'   => Status::lines(),
		);
	}
}
